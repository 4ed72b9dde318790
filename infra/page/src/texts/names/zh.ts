import type { Names } from "./en";

const zh: Names = {
  methods: {
    card_brand_a: "使用钱包 A 的银行卡", card_brand_b: "使用钱包 B 的银行卡", crypto: "加密货币", crypto_address: "转账到加密货币地址",
    bank_debit: "银行账户扣款", bank_cuil: "银行付款（CUIL）", bank_curp: "银行付款（CURP）", bank_rfc: "银行付款（RFC）",
    document_bank: "凭证件银行付款", document_cash: "凭证件现金付款", regional_bank: "本地银行", member: "会员账户",
    personal_id_br: "银行付款（巴西）", personal_id_cl: "银行付款（智利）", personal_id_co: "银行付款（哥伦比亚）", bank_account: "网上银行",
    bank_transfer: "银行转账", trading_account: "交易账户", exchange: "使用其他货币付款", open_banking: "通过银行直接付款",
    local_transfer: "本地即时转账", instant_qr: "扫码即时付款", offline_transfer_a: "银行转账 A", offline_transfer_b: "银行转账 B",
    offline_transfer_c: "银行转账 C", offline_transfer_d: "银行转账 D", offline_service: "在服务点付款", instant_transfer: "银行即时转账",
    pull_bank: "从您的银行账户扣款", pull_wallet: "手机钱包", cash_mx: "现金（墨西哥）", cash_co: "现金（哥伦比亚）", cash_pe: "现金（秘鲁）",
    voucher: "代金券", upi_collect: "UPI", upi_address: "UPI 地址", mobile_account: "移动支付账户", mobile_money: "手机账户支付",
    mobile_bj_tg: "手机账户支付（贝宁和多哥）", wallet_app: "钱包应用", installments_a: "分期付款 A", installments_b: "分期付款 B",
    deferred_a: "先买后付", deferred_b: "先买后付，分期还款", link_email: "通过电子邮件发送链接", link_sms: "通过短信发送链接",
    crypto_payout: "加密货币收款", local_payout: "本地转账", withdrawal: "提现到银行账户", payout_wd1: "银行账户（IFSC）",
    payout_wd2: "银行账户（含姓名）", payout_wd3: "银行账户", payout_wd4: "银行账户或钱包", payout_wd5: "转账密钥", payout_wd6: "银行账户（含身份证件）",
    payout_wd7: "银行账户（CCI）",
  },
  options: {
    "person_type.natural": "个人", "person_type.legal": "企业", "cashAccountType.CORRIENTE": "活期账户",
    "cashAccountType.AHORROS": "储蓄账户", "paymentMethod.PHONE": "电话号码", "paymentMethod.EMAIL": "电子邮箱",
    "paymentMethod.EVP": "随机密钥", "idType.PAS": "护照", "idType.CE": "CE（外国人证）", "idType.CC": "CC（身份证）",
  },
  fields: {
    bank_cuil: "CUIL（阿根廷税号）", bank_curp: "CURP（墨西哥个人身份号码）", bank_rfc: "RFC（墨西哥税号）", document_number: "证件号码",
    document_type: "证件类型", bank: "银行", person_type: "个人或企业", memberId: "会员号", personal_id: "个人身份号码", orgCode: "银行代码",
    accountName: "账户持有人", accountNumber: "账号", bankName: "银行名称", branchName: "支行名称", branchCode: "支行代码",
    upi_id: "UPI 地址", upiAddress: "UPI 地址", type_document: "证件类型", phone: "电话号码", pin: "代金券 PIN 码",
    clientTaxId: "税号或证件号码", clientname: "您的姓名", "bankDetails.cbu": "CBU（阿根廷账号）", "bankDetails.alias": "账户别名",
    "bankDetails.account": "账户", "bankDetails.otp": "确认码", "bankDetails.phoneNumber": "电话号码", paymentMethod: "银行或渠道",
    cashAccount: "账户", ifscCode: "IFSC 代码（印度支行）", name: "账户持有人", accountNo: "账号", taxNumber: "CPF 或 CNPJ（巴西）",
    cashAccountType: "账户类型", idType: "证件类型", identity: "证件号码", cci: "CCI（秘鲁账号）", email: "电子邮箱", ToAccountNumber: "账号",
    ToAccountName: "账户持有人", ToProvince: "省份", ToCity: "城市", ToBranch: "支行", ToAddress: "地址", Email: "电子邮箱",
    Phone: "电话号码",
  },
};

export default zh;
