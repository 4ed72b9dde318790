import type { Names } from "./en";

const zho: Names = {
  methods: {
    card_brand_a: "使用錢包 A 的卡片", card_brand_b: "使用錢包 B 的卡片", crypto: "加密貨幣", crypto_address: "轉帳到加密貨幣地址",
    bank_debit: "銀行帳戶扣款", bank_cuil: "銀行付款（CUIL）", bank_curp: "銀行付款（CURP）", bank_rfc: "銀行付款（RFC）",
    document_bank: "憑證件銀行付款", document_cash: "憑證件現金付款", regional_bank: "當地銀行", member: "會員帳戶",
    personal_id_br: "銀行付款（巴西）", personal_id_cl: "銀行付款（智利）", personal_id_co: "銀行付款（哥倫比亞）", bank_account: "網路銀行",
    bank_transfer: "銀行轉帳", trading_account: "交易帳戶", exchange: "以其他幣別付款", open_banking: "透過銀行直接付款",
    local_transfer: "當地即時轉帳", instant_qr: "掃碼即時付款", offline_transfer_a: "銀行轉帳 A", offline_transfer_b: "銀行轉帳 B",
    offline_transfer_c: "銀行轉帳 C", offline_transfer_d: "銀行轉帳 D", offline_service: "至服務據點付款", instant_transfer: "銀行即時轉帳",
    pull_bank: "從您的銀行帳戶扣款", pull_wallet: "行動錢包", cash_mx: "現金（墨西哥）", cash_co: "現金（哥倫比亞）", cash_pe: "現金（秘魯）",
    voucher: "點數卡", upi_collect: "UPI", upi_address: "UPI 地址", mobile_account: "行動支付帳戶", mobile_money: "手機帳戶支付",
    mobile_bj_tg: "手機帳戶支付（貝南和多哥）", wallet_app: "錢包 App", installments_a: "分期付款 A", installments_b: "分期付款 B",
    deferred_a: "先買後付", deferred_b: "先買後付，分期付款", link_email: "以電子郵件傳送連結", link_sms: "以簡訊傳送連結", crypto_payout: "加密貨幣收款",
    local_payout: "當地轉帳", withdrawal: "提領至銀行帳戶", payout_wd1: "銀行帳戶（IFSC）", payout_wd2: "銀行帳戶（含姓名）", payout_wd3: "銀行帳戶",
    payout_wd4: "銀行帳戶或錢包", payout_wd5: "轉帳金鑰", payout_wd6: "銀行帳戶（含身分證件）", payout_wd7: "銀行帳戶（CCI）",
  },
  options: {
    "person_type.natural": "個人", "person_type.legal": "企業", "cashAccountType.CORRIENTE": "活期帳戶",
    "cashAccountType.AHORROS": "儲蓄帳戶", "paymentMethod.PHONE": "電話號碼", "paymentMethod.EMAIL": "電子郵件",
    "paymentMethod.EVP": "隨機金鑰", "idType.PAS": "護照", "idType.CE": "CE（外國人證）", "idType.CC": "CC（身分證）",
  },
  fields: {
    bank_cuil: "CUIL（阿根廷稅號）", bank_curp: "CURP（墨西哥個人身分號碼）", bank_rfc: "RFC（墨西哥稅號）", document_number: "證件號碼",
    document_type: "證件類型", bank: "銀行", person_type: "個人或企業", memberId: "會員編號", personal_id: "個人身分號碼", orgCode: "銀行代碼",
    accountName: "帳戶持有人", accountNumber: "帳號", bankName: "銀行名稱", branchName: "分行名稱", branchCode: "分行代碼",
    upi_id: "UPI 地址", upiAddress: "UPI 地址", type_document: "證件類型", phone: "電話號碼", pin: "點數卡 PIN 碼",
    clientTaxId: "稅號或證件號碼", clientname: "您的姓名", "bankDetails.cbu": "CBU（阿根廷帳號）", "bankDetails.alias": "帳戶別名",
    "bankDetails.account": "帳戶", "bankDetails.otp": "確認碼", "bankDetails.phoneNumber": "電話號碼", paymentMethod: "銀行或管道",
    cashAccount: "帳戶", ifscCode: "IFSC 代碼（印度分行）", name: "帳戶持有人", accountNo: "帳號", taxNumber: "CPF 或 CNPJ（巴西）",
    cashAccountType: "帳戶類型", idType: "證件類型", identity: "證件號碼", cci: "CCI（秘魯帳號）", email: "電子郵件", ToAccountNumber: "帳號",
    ToAccountName: "帳戶持有人", ToProvince: "省份", ToCity: "城市", ToBranch: "分行", ToAddress: "地址", Email: "電子郵件",
    Phone: "電話號碼",
  },
};

export default zho;
