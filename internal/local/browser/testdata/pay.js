// Stands in for the script of Google Pay. The test plays the payer at the sheet, with events at the document's root,
// where it also reads what the frame has asked for. A payer who may only use PAN_ONLY can't pay.
(() => {
  const root = document.documentElement;
  const note = (name, value) => (root.dataset[name] = JSON.stringify(value));
  const once = (name, run) => root.addEventListener(name, run, { once: true });
  class PaymentsClient {
    constructor(options) {
      note("options", options);
    }
    isReadyToPay(request) {
      note("ready", request);
      const { allowedAuthMethods } = request.allowedPaymentMethods[0].parameters;
      return Promise.resolve({ result: allowedAuthMethods.includes("CRYPTOGRAM_3DS") });
    }
    loadPaymentData(request) {
      const sheet = window.open("https://pay.google.com/sheet", "", "popup");
      if (!sheet) return Promise.reject({ statusCode: "DEVELOPER_ERROR" });
      note("request", request);
      return new Promise((confirm, refuse) => {
        const end = (run) => () => {
          sheet.close();
          delete root.dataset.request;
          run();
        };
        // What the wallet knows of the payer it tells where it is asked for it.
        const known = () => JSON.parse(root.dataset.payer || "{}");
        const email = () => request.emailRequired && { email: known().email };
        const address = () =>
          request.allowedPaymentMethods[0].parameters.billingAddressRequired && { info: { billingAddress: known().address } };
        const data = () => ({ tokenizationData: { token: root.dataset.token }, ...address() });
        once("confirm", end(() => confirm({ ...email(), paymentMethodData: data() })));
        once("cancel", end(() => refuse({ statusCode: "CANCELED" })));
        once("break", end(() => refuse({ statusCode: "INTERNAL_ERROR" })));
      });
    }
  }
  window.google = { payments: { api: { PaymentsClient } } };
})();
