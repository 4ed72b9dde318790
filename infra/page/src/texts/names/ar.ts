import type { Names } from "./en";

const ar: Names = {
  methods: {
    card_brand_a: "بطاقة عبر المحفظة A", card_brand_b: "بطاقة عبر المحفظة B", crypto: "عملة رقمية",
    crypto_address: "عملة رقمية إلى عنوان", bank_debit: "خصم من الحساب المصرفي", bank_cuil: "دفع مصرفي (CUIL)",
    bank_curp: "دفع مصرفي (CURP)", bank_rfc: "دفع مصرفي (RFC)", document_bank: "دفع مصرفي بوثيقة الهوية",
    document_cash: "دفع نقدي بوثيقة الهوية", regional_bank: "بنك محلي", member: "حساب العضو",
    personal_id_br: "دفع مصرفي، البرازيل", personal_id_cl: "دفع مصرفي، تشيلي", personal_id_co: "دفع مصرفي، كولومبيا",
    bank_account: "الخدمات المصرفية عبر الإنترنت", bank_transfer: "تحويل مصرفي", trading_account: "حساب التداول",
    exchange: "الدفع بعملة أخرى", open_banking: "الدفع من البنك مباشرة", local_transfer: "تحويل محلي فوري",
    instant_qr: "دفع فوري برمز QR", offline_transfer_a: "تحويل مصرفي، A", offline_transfer_b: "تحويل مصرفي، B",
    offline_transfer_c: "تحويل مصرفي، C", offline_transfer_d: "تحويل مصرفي، D", offline_service: "الدفع في مركز سداد",
    instant_transfer: "تحويل مصرفي فوري", pull_bank: "خصم مباشر من حسابك", pull_wallet: "محفظة الهاتف",
    cash_mx: "نقدًا، المكسيك", cash_co: "نقدًا، كولومبيا", cash_pe: "نقدًا، بيرو", voucher: "قسيمة دفع",
    upi_collect: "UPI", upi_address: "عنوان UPI", mobile_account: "حساب محفظة الهاتف",
    mobile_money: "الدفع بالهاتف المحمول", mobile_bj_tg: "الدفع بالهاتف، بنين وتوغو", wallet_app: "تطبيق المحفظة",
    installments_a: "الدفع بالتقسيط A", installments_b: "الدفع بالتقسيط B", deferred_a: "الدفع لاحقًا",
    deferred_b: "الدفع لاحقًا بالتقسيط", link_email: "رابط عبر البريد الإلكتروني", link_sms: "رابط عبر رسالة SMS",
    crypto_payout: "صرف بعملة رقمية", local_payout: "تحويل محلي", withdrawal: "سحب إلى حساب مصرفي",
    payout_wd1: "حساب مصرفي، IFSC", payout_wd2: "حساب مصرفي مع الاسم", payout_wd3: "حساب مصرفي",
    payout_wd4: "حساب مصرفي أو محفظة", payout_wd5: "مفتاح التحويل", payout_wd6: "حساب مصرفي ببطاقة الهوية",
    payout_wd7: "حساب مصرفي برقم CCI",
  },
  options: {
    "person_type.natural": "فرد", "person_type.legal": "شركة", "cashAccountType.CORRIENTE": "حساب جارٍ",
    "cashAccountType.AHORROS": "حساب توفير", "paymentMethod.PHONE": "رقم الهاتف",
    "paymentMethod.EMAIL": "البريد الإلكتروني", "paymentMethod.EVP": "مفتاح عشوائي", "idType.PAS": "جواز السفر",
    "idType.CE": "CE (بطاقة الأجنبي)", "idType.CC": "CC (بطاقة الهوية)",
  },
  fields: {
    bank_cuil: "CUIL (رقم ضريبي، الأرجنتين)", bank_curp: "CURP (رقم شخصي، المكسيك)",
    bank_rfc: "RFC (رقم ضريبي، المكسيك)", document_number: "رقم الوثيقة", document_type: "نوع الوثيقة", bank: "البنك",
    person_type: "فرد أو شركة", memberId: "رقم العضوية", personal_id: "رقم الهوية الشخصية", orgCode: "رمز البنك",
    accountName: "صاحب الحساب", accountNumber: "رقم الحساب", bankName: "اسم البنك", branchName: "اسم الفرع",
    branchCode: "رمز الفرع", upi_id: "عنوان UPI", upiAddress: "عنوان UPI", type_document: "نوع الوثيقة",
    phone: "رقم الهاتف", pin: "رقم PIN للقسيمة", clientTaxId: "الرقم الضريبي أو رقم الهوية", clientname: "اسمك",
    "bankDetails.cbu": "CBU (رقم الحساب، الأرجنتين)", "bankDetails.alias": "الاسم المختصر للحساب",
    "bankDetails.account": "الحساب", "bankDetails.otp": "رمز التأكيد", "bankDetails.phoneNumber": "رقم الهاتف",
    paymentMethod: "البنك أو القناة", cashAccount: "الحساب", ifscCode: "رمز IFSC (الفرع، الهند)", name: "صاحب الحساب",
    accountNo: "رقم الحساب", taxNumber: "CPF أو CNPJ (البرازيل)", cashAccountType: "نوع الحساب", idType: "نوع الوثيقة",
    identity: "رقم الوثيقة", cci: "CCI (رقم الحساب، بيرو)", email: "البريد الإلكتروني", ToAccountNumber: "رقم الحساب",
    ToAccountName: "صاحب الحساب", ToProvince: "المقاطعة", ToCity: "المدينة", ToBranch: "فرع البنك",
    ToAddress: "العنوان", Email: "البريد الإلكتروني", Phone: "رقم الهاتف",
  },
};

export default ar;
