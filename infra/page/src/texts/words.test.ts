// One word for one thing, in every language: what each says, and the words of the same meaning that it never uses.

import assert from "node:assert/strict";
import test from "node:test";
import { catalogues, names } from "./catalogues";

const things = [
  "shop",
  "order",
  "card",
  "code",
  "app",
  "pay",
  "receive",
  "send",
  "account",
  "wallet",
  "voucher",
  "reference",
  "payout",
  "charged",
  "method",
] as const;

// The beginning of a word is enough. Never is a regular expression, "" where there is nothing to confuse it with.
type Words = Record<(typeof things)[number], [says: string, never: string]>;

const words: Record<string, Words> = {
  en: {
    shop: ["shop", "merchant(?!\\})|store\\b|seller"],
    order: ["order", "purchase"],
    card: ["card", ""],
    code: ["security code", "\\bCV[CV]|check digit"],
    app: ["app", "application"],
    pay: ["pay", "settle"],
    receive: ["receive", ""],
    send: ["send", "remit"],
    account: ["account", ""],
    wallet: ["wallet", "purse"],
    voucher: ["voucher", "coupon"],
    reference: ["reference", ""],
    payout: ["payout", "disburse"],
    charged: ["charged", "debited"],
    method: ["way to pay|pay another way|payment method", "payment type"],
  },
  fr: {
    shop: ["boutique", "marchand|commerçant|magasin|vendeur"],
    order: ["commande", "achat"],
    card: ["carte", ""],
    code: ["code de sécurité", "cryptogramme|\\bCV[CV]"],
    app: ["application", "\\bapp\\b|appli\\b"],
    pay: ["payer", "régler|acquitter"],
    receive: ["recev", "percev"],
    send: ["envo", "expédi"],
    account: ["compte", ""],
    wallet: ["portefeuille", "porte-monnaie|wallet"],
    voucher: ["bon prépayé", "coupon|(?<!\\p{L})bon de|chèque"],
    reference: ["référence", ""],
    payout: ["versement", "paiement sortant"],
    charged: ["débit", "prélevé"],
    method: ["moyen de paiement", "mode de paiement|façon de payer"],
  },
  es: {
    shop: ["tienda", "comercio|comerciante|vendedor"],
    order: ["pedido", "(?<!\\p{L})orden"],
    card: ["tarjeta", ""],
    code: ["código de seguridad", "\\bCV[CV]|cifras?\\b"],
    app: ["app", "aplicación"],
    pay: ["pag", "abonar"],
    receive: ["recib", "cobre\\b"],
    send: ["env[ií]", "remit"],
    account: ["cuenta", ""],
    wallet: ["billetera", "cartera|monedero"],
    voucher: ["cupón", "(?<!\\p{L})vale(?!\\p{L})|(?<!a)bono"],
    reference: ["referencia", ""],
    payout: ["envío del pago", "abono|retiro"],
    charged: ["cobr", "cargad"],
    method: ["forma de pago", "medio de pago|método"],
  },
  de: {
    shop: ["Shop", "Händler|Geschäft|Laden|Verkäufer"],
    order: ["Bestell", "Auftrag"],
    card: ["Karte", ""],
    code: ["Sicherheitscode", "Prüfziffer|Prüfnummer|Kartenprüf"],
    app: ["App", "Anwendung"],
    pay: ["zahl", "begleich"],
    receive: ["erhalten", "bekomm|empfang"],
    send: ["senden", "schick"],
    account: ["Konto", ""],
    wallet: ["Wallet", "Geldbörse|Brieftasche"],
    voucher: ["Guthabenkarte", "Gutschein"],
    reference: ["Referenz", "Aktenzeichen"],
    payout: ["Auszahlung", "Ausschüttung"],
    charged: ["abgebucht", "belastet"],
    method: ["Zahlungsart", "zahlen Sie anders|auf andere Weise|Zahlungsmethode|Zahlungsmittel"],
  },
  kk: {
    shop: ["дүкен", "сатушы"],
    order: ["тапсырыс", "операция нөмірі"],
    card: ["карта", ""],
    code: ["қауіпсіздік коды", "\\d+ сан"],
    app: ["қолданба", "қосымша"],
    pay: ["төле", ""],
    receive: ["алу", ""],
    send: ["жібер", ""],
    account: ["шот", "есепшот"],
    wallet: ["әмиян", "портмоне"],
    voucher: ["ваучер", "купон"],
    reference: ["тапсырыс нөмірі", ""],
    payout: ["аударым", "төлеп беру|шотына шығару"],
    charged: ["алын", "шегер"],
    method: ["төлем тәсіл", "төлем әдіс"],
  },
  ru: {
    shop: ["магазин", "продав|торгов\\p{L}+ точк"],
    order: ["заказ", "операции(?!\\p{L})"],
    card: ["карт", "карточк"],
    code: ["код безопасности", "CV[CV]"],
    app: ["приложени", "программ"],
    pay: ["оплат", ""],
    receive: ["получ", ""],
    send: ["отправ", "послать|послан"],
    account: ["счёт", "аккаунт"],
    wallet: ["кошел|кошёл", "портмоне"],
    voucher: ["ваучер", "купон"],
    reference: ["номер заказа", "номер операции"],
    payout: ["выплат", "вывод"],
    charged: ["спис|спиш", "снят"],
    method: ["способ оплаты", "другим способом|метод"],
  },
  ar: {
    shop: ["المتجر", "تاجر|التاجر|البائع"],
    order: ["الطلب", ""],
    card: ["بطاقة", ""],
    code: ["رمز الأمان", "CV[CV]"],
    app: ["تطبيق", "برنامج"],
    pay: ["دفع", "تسديد"],
    receive: ["استلام", "استقبال"],
    send: ["إرسال|أرسل", "ابعث"],
    account: ["حساب", ""],
    wallet: ["محفظة", ""],
    voucher: ["قسيمة", "كوبون"],
    reference: ["المرجعي", ""],
    payout: ["صرف", "سحب"],
    charged: ["يُخصم", "يُقتطع|الخصومات"],
    method: ["طريقة دفع|طريقة الدفع", "وسيلة"],
  },
  zh: {
    shop: ["商家", "商店|商户|店铺"],
    order: ["订单", "参考号"],
    card: ["卡", "信用卡"],
    code: ["安全码", "确认码|校验码"],
    app: ["应用", "程序"],
    pay: ["付款", ""],
    receive: ["收款", ""],
    send: ["汇", ""],
    account: ["账户", "帐户"],
    wallet: ["钱包", ""],
    voucher: ["代金券", "优惠券"],
    reference: ["订单号", "参考号"],
    payout: ["收款", "付款给您"],
    charged: ["扣款", "扣费"],
    method: ["付款方式", "支付方式|换一种方式|其他方式"],
  },
  az: {
    shop: ["mağaza", "satıcı|saytına"],
    order: ["sifariş", "əməliyyat nömrə"],
    card: ["kart", ""],
    code: ["təhlükəsizlik kodu", "CV[CV]"],
    app: ["tətbiq", "proqram"],
    pay: ["ödə", ""],
    receive: ["al[ıa]", ""],
    send: ["göndər", ""],
    account: ["hesab", ""],
    wallet: ["pulqabı", "pul kisə"],
    voucher: ["vauçer", "kupon"],
    reference: ["sifariş nömrəsi", "istinad daxil"],
    payout: ["köçürmə", "çıxarış"],
    charged: ["çıxıl", "silinəcək"],
    method: ["ödəniş üsulu", "ödəniş metodu"],
  },
  ua: {
    shop: ["магазин", "продавц"],
    order: ["замовлення", "операції(?!\\p{L})"],
    card: ["картк", "(?<!\\p{L})карта"],
    code: ["код безпеки", "CV[CV]"],
    app: ["застосун", "додат(?:ок|к)"],
    pay: ["спла[тч]|оплат", ""],
    receive: ["отрим", "одерж"],
    send: ["надіс|надси", "відправ"],
    account: ["рахун", ""],
    wallet: ["гаман", "портмоне"],
    voucher: ["ваучер", "купон"],
    reference: ["номер замовлення", "номер операції"],
    payout: ["виплат", "вивед"],
    charged: ["спис|спиш", "знято"],
    method: ["спосіб оплати", "іншим способом|обра(?:ти|ний)|метод"],
  },
  no: {
    shop: ["butikk", "selger|forretning|nettsted(?!et)"],
    order: ["ordre", "bestilling"],
    card: ["kort", ""],
    code: ["sikkerhetskode", "CV[CV]"],
    app: ["app", "applikasjon"],
    pay: ["betal", ""],
    receive: ["motta", ""],
    send: ["send", ""],
    account: ["konto", ""],
    wallet: ["lommebok", "wallet"],
    voucher: ["verdikupong", "verdikode|gavekort"],
    reference: ["referanse", ""],
    payout: ["utbetaling", "uttak"],
    charged: ["trekk|trukket", "belast"],
    method: ["betalingsmåte", "betalingsmetode|annen måte"],
  },
  zho: {
    shop: ["商家", "商店|商戶|店鋪"],
    order: ["訂單", "參考號"],
    card: ["卡", "信用卡(?!/)"],
    code: ["安全碼", "確認碼"],
    app: ["App", "應用程式"],
    pay: ["付款", ""],
    receive: ["收款", ""],
    send: ["匯", ""],
    account: ["帳戶", "賬戶"],
    wallet: ["錢包", ""],
    voucher: ["點數卡", "票券"],
    reference: ["訂單編號", "參考號"],
    payout: ["收款", "付款給您"],
    charged: ["扣款", "扣費"],
    method: ["付款方式", "支付方式|其他方式"],
  },
};

function textsOf(value: unknown): string[] {
  return typeof value === "string"
    ? [value.replace(/\{\w+\}/g, "{}")]
    : Object.values(value as object).flatMap(textsOf);
}

test("each language has one word for one thing", () => {
  assert.deepEqual(Object.keys(words), Object.keys(catalogues));
  const faults: string[] = [];
  for (const [language, rows] of Object.entries(words)) {
    const texts = [catalogues[language], names[language]].flatMap(textsOf);
    for (const thing of things) {
      const [says, never] = rows[thing];
      if (!texts.some((text) => new RegExp(says, "iu").test(text))) faults.push(`${language} does not say "${says}"`);
      const other = new RegExp(never || "$.", "iu");
      for (const text of texts.filter((text) => other.test(text)))
        faults.push(`${language} calls ${thing} "${other.exec(text)}": ${text}`);
    }
  }
  assert.deepEqual(faults, []);
});

// Signs as the language writes them, and the register in which it speaks to whom it does not know.
const manners: Record<string, [rule: string, never: RegExp][]> = {
  en: [["’", /'/]],
  fr: [
    ["a narrow space before : ; ! ?", /(?<!\u202f)[;!?»]|[^\u202f\d]:(?!\/)| [:;!?]/u],
    ["vous", /(?<!\p{L})(?:tu|ton|ta|tes|toi)(?!\p{L})/iu],
    ["’", /'/],
  ],
  de: [
    ["Sie", /(?<!\p{L})(?:du|dein\p{L}*|dir|dich)(?!\p{L})/iu],
    ["a sentence ends without a space", / [:;!?]/],
  ],
  es: [
    ["usted", /(?<!\p{L})(?:tú|tu|tus|te|ti)(?!\p{L})/iu],
    ["¿ and ¡", /^[^¿]*\?|^[^¡]*!/],
  ],
  ru: [
    ["вы", /(?<!\p{L})(?:ты|твой|твоя|твоё|тебя|тебе)(?!\p{L})/iu],
    ["ё", /(?<!\p{L})(?:еще|счет|платеж|отменен|отклонен)(?!\p{L})/iu],
  ],
  ua: [
    ["ви", /(?<!\p{L})(?:ти|твій|твоя|тебе|тобі)(?!\p{L})/iu],
    ["’", /'/],
  ],
  kk: [["сіз", /(?<!\p{L})(?:сен|сенің|саған|сені)(?!\p{L})/iu]],
  az: [["siz", /(?<!\p{L})(?:sən|sənin|sənə|et|seç|ödə|göndər|kopyala|axtar|qayıt|daxil et)(?!\p{L})/iu], ["’", /'/]],
  ar: [["؟ ، ؛", /[?,;]/]],
  zh: [
    ["full-width signs", /\p{Script=Han}[,:;!?()]|\p{Script=Han}\.(?!\p{L})/u],
    ["……", /(?<!…)…(?!…)/],
    ["您", /你/],
    ["“”", /[「」]/],
    ["no space between a number and its measure", /[\d}] [个天秒位次分小]/],
  ],
  zho: [
    ["full-width signs", /\p{Script=Han}[,:;!?()]|\p{Script=Han}\.(?!\p{L})/u],
    ["……", /(?<!…)…(?!…)/],
    ["您", /你/],
    ["「」", /[“”]/],
    ["no space between a number and its measure", /[\d}] [個天秒位次分小]/],
  ],
  no: [["du", /(?<!\p{L})(?:De|Dem|Deres)(?!\p{L})(?<=[a-zæøå,] \p{L}+)/u]],
};

test("each language keeps its signs and its register", () => {
  const faults: string[] = [];
  for (const [language, rules] of Object.entries(manners)) {
    const texts = [catalogues[language], names[language]].flatMap(textsOf);
    for (const [rule, never] of rules)
      faults.push(...texts.filter((text) => never.test(text)).map((text) => `${language} (${rule}): ${text}`));
  }
  for (const [language, texts] of Object.entries(catalogues)) {
    for (const text of [texts, names[language]].flatMap(textsOf))
      if (/^\s|\s$|\s\s|\.\.\./.test(text)) faults.push(`${language}: "${text}"`);
  }
  assert.deepEqual(faults, []);
});
