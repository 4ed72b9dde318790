// Names of methods other than cards, of their options and of their fields. Each is in every language.

const en = {
  methods: {
    card_brand_a: "Card by wallet brand A", card_brand_b: "Card by wallet brand B", crypto: "Crypto",
    crypto_address: "Crypto to an address", bank_debit: "Bank debit", bank_cuil: "Bank payment (CUIL)",
    bank_curp: "Bank payment (CURP)", bank_rfc: "Bank payment (RFC)", document_bank: "Bank payment with ID",
    document_cash: "Cash payment with ID", regional_bank: "Local bank", member: "Member account",
    personal_id_br: "Bank payment, Brazil", personal_id_cl: "Bank payment, Chile",
    personal_id_co: "Bank payment, Colombia", bank_account: "Online banking", bank_transfer: "Bank transfer",
    trading_account: "Trading account", exchange: "Pay in another currency", open_banking: "Pay by bank",
    local_transfer: "Instant local transfer", instant_qr: "Instant QR payment", offline_transfer_a: "Bank transfer, A",
    offline_transfer_b: "Bank transfer, B", offline_transfer_c: "Bank transfer, C",
    offline_transfer_d: "Bank transfer, D", offline_service: "Pay at a service point",
    instant_transfer: "Instant bank transfer", pull_bank: "Direct debit from your bank", pull_wallet: "Mobile wallet",
    cash_mx: "Cash, Mexico", cash_co: "Cash, Colombia", cash_pe: "Cash, Peru", voucher: "Voucher", upi_collect: "UPI",
    upi_address: "UPI address", mobile_account: "Mobile money account", mobile_money: "Mobile money",
    mobile_bj_tg: "Mobile money, Benin and Togo", wallet_app: "Wallet app", installments_a: "Installments A",
    installments_b: "Installments B", deferred_a: "Pay later", deferred_b: "Pay later in parts",
    link_email: "Link by email", link_sms: "Link by SMS", crypto_payout: "Crypto payout",
    local_payout: "Local transfer", withdrawal: "Bank withdrawal", payout_wd1: "Bank account, IFSC",
    payout_wd2: "Bank account with name", payout_wd3: "Bank account", payout_wd4: "Bank or wallet account",
    payout_wd5: "Transfer key", payout_wd6: "Bank account with identity card", payout_wd7: "Bank account with CCI",
  },
  options: {
    "person_type.natural": "Person", "person_type.legal": "Company", "cashAccountType.CORRIENTE": "Current account",
    "cashAccountType.AHORROS": "Savings account", "paymentMethod.PHONE": "Phone number", "paymentMethod.EMAIL": "Email",
    "paymentMethod.EVP": "Random key", "idType.PAS": "Passport", "idType.CE": "CE (foreigner's card)",
    "idType.CC": "CC (identity card)",
  },
  fields: {
    bank_cuil: "CUIL", bank_curp: "CURP", bank_rfc: "RFC", document_number: "Document number",
    document_type: "Document type", bank: "Bank", person_type: "Kind of person", memberId: "Member number",
    personal_id: "Personal identification number", orgCode: "Bank code", accountName: "Account holder",
    accountNumber: "Account number", bankName: "Bank name", branchName: "Branch name", branchCode: "Branch code",
    upi_id: "UPI address", upiAddress: "UPI address", type_document: "Document type", phone: "Phone number",
    pin: "Voucher PIN", clientTaxId: "Tax number or ID", clientname: "Your name", "bankDetails.cbu": "CBU",
    "bankDetails.alias": "Alias", "bankDetails.account": "Account", "bankDetails.otp": "Confirmation code",
    "bankDetails.phoneNumber": "Phone number", paymentMethod: "Bank or channel", cashAccount: "Account",
    ifscCode: "IFSC code", name: "Account holder", accountNo: "Account number", taxNumber: "CPF or CNPJ",
    cashAccountType: "Kind of account", idType: "Kind of document", identity: "Document number", cci: "CCI",
    email: "Email", ToAccountNumber: "Account number", ToAccountName: "Account holder", ToProvince: "Province",
    ToCity: "City", ToBranch: "Branch", ToAddress: "Address", Email: "Email", Phone: "Phone number",
  },
};

export type Names = typeof en;
export default en;
