/** By the English words; the other languages have the same keys. */
export const method_words_zh_hans = {
  Alipay: '支付宝',
  'WeChat Pay': '微信支付',
  UnionPay: '银联',
  Card: '银行卡',
  'Code in your payment app': '支付应用中的付款码',
  'Convenience store': '便利店',
  'Bank transfer': '银行转账',
  'Test mode: no wallet opens, and a test card is charged.':
    '测试模式：不会打开钱包，将使用测试卡扣款。',
  'Number below the code': '付款码下方的数字',
  'Enter the number below the code in your app.': '请输入应用中付款码下方的数字。',
  "We don't recognise this code. Check the number, or show a new code.":
    '无法识别此付款码。请检查数字，或显示新的付款码。',
  'Show QR code': '显示二维码',
  'Where will you pay?': '您在哪里付款？',
  'Choose a store.': '请选择商店。',
  'Choose one of the stores.': '请从列表中选择商店。',
  'Your name': '您的姓名',
  'Enter your name.': '请输入您的姓名。',
  "This name is too long or has characters we can't use.": '姓名过长，或含有无法使用的字符。',
  'Phone number': '电话号码',
  'A Japanese number, such as 090-1234-5678.': '日本的电话号码，例如 090-1234-5678。',
  'Enter your phone number.': '请输入电话号码。',
  'Enter a Japanese phone number.': '请输入日本的电话号码。',
  'Get payment number': '获取付款号码',
  'Cancel your payment number?': '要取消付款号码吗？',
  'The store will refuse this number. If you have already paid, keep it: we confirm within minutes.':
    '此号码将无法在商店使用。如果您已付款，请保留号码：我们会在几分钟内确认付款。',
  'Payment number': '付款号码',
  'Cancel number': '取消号码',
  'Keep number': '保留号码',
  'Continue to {brand}': '前往{brand}',
  'Show bank details': '显示转账信息',
  'Cancel your bank transfer?': '要取消银行转账吗？',
  'The bank will refuse this transfer. If you have already sent it, keep it: it can take a business day.':
    '此账户将不再接收您的款项。如果您已转账，请不要取消：可能要到下一个工作日才能到账。',
  'Account number': '账号',
  'Cancel transfer': '取消转账',
  'Keep transfer': '保留转账',
  'Payment slip number': '付款单号码（払込票番号）',
  'How to pay at the till': '如何在收银台付款',
  'Say “Internet shiharai” (インターネット支払い) at the till.':
    '在收银台说“Internet shiharai”（インターネット支払い）。',
  'Show the bar code, or tell the payment slip number.': '出示条形码，或告知付款单号码。',
  'Check the amount on the screen of the till, press the button to confirm, and pay.':
    '在收银台屏幕上确认金额，按确认按钮，然后付款。',
  'Keep the receipt.': '请保留收据。',
  'First number (company code)': '第一个号码（企业代码）',
  'Second number (order number)': '第二个号码（订单号码）',
  'First number (payment code)': '第一个号码（付款代码）',
  'Second number (confirmation)': '第二个号码（确认号码）',
  'How to pay at the multi-copy machine': '如何在多功能复印机上付款',
  'On the multi-copy machine, press “代金支払い/チャージ” (payments and charging).':
    '在多功能复印机上按“代金支払い/チャージ”（付款和充值）。',
  'Press “番号入力” (enter a number), then type the numbers above in their order.':
    '按“番号入力”（输入号码），然后依次输入上面的号码。',
  'Check the details and press “確認” (confirm). A slip (申込券) is printed.':
    '核对内容并按“確認”（确认）。机器会打印申请单（申込券）。',
  'Take the slip to the till within 30 minutes and pay.': '请在30分钟内将申请单拿到收银台付款。',
  'Customer number': '客户号码（お客様番号）',
  'Confirmation number': '确认号码（確認番号）',
  'How to pay at the Loppi terminal': '如何在Loppi终端上付款',
  'On the Loppi, press “各種番号をお持ちの方” (I have a number).':
    '在Loppi上按“各種番号をお持ちの方”（我有号码）。',
  'Type the numbers above in their order, and press “次へ” (next) after each.':
    '依次输入上面的号码，每次输入后按“次へ”（下一步）。',
  'Check the details and press “確定する” (confirm). A slip (申込券) is printed.':
    '核对内容并按“確定する”（确定）。机器会打印申请单（申込券）。',
  'Reception number': '受理号码（受付番号）',
  'Say “Internet daikin shiharai” (インターネット代金支払い) at the till.':
    '在收银台说“Internet daikin shiharai”（インターネット代金支払い）。',
  'Enter the numbers above in this order on the register screen.':
    '在收银台屏幕上依次输入上面的号码。',
  'Check the details, press the button to confirm, and pay.': '核对内容，按确认按钮，然后付款。',
  'Online payment number': '在线结算号码（オンライン決済番号）',
  'Say “Online kessai” (オンライン決済) at the till.':
    '在收银台说“Online kessai”（オンライン決済）。',
  'Type the online payment number on the screen for customers.':
    '在面向顾客的屏幕上输入在线结算号码。',
  'All Circle K shops are FamilyMart shops now. Please pay at FamilyMart.':
    'Circle K的店铺现已全部改为FamilyMart。请在FamilyMart付款。',
  'All Sunkus shops are FamilyMart shops now. Please pay at FamilyMart.':
    'Sunkus的店铺现已全部改为FamilyMart。请在FamilyMart付款。',
  'Billing organization number': '收款机构号码（収納機関番号）',
  'How to pay at a cash machine or in your online banking': '如何在ATM或网上银行付款',
  'Choose “税金・料金払込み” (taxes and fees) or “Pay-easy”.':
    '选择“税金・料金払込み”（税金和费用）或“Pay-easy”。',
  'Type the numbers above in their order.': '依次输入上面的号码。',
  'Check the name and the amount, then pay.': '确认姓名和金额，然后付款。',
  'Keep the statement of the machine, or a picture of the last screen.':
    '请保留机器的明细单，或最后一个画面的截图。',
}
