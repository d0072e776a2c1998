import type { MethodWords } from './method-words.ts'

export const method_words_zh_hant: MethodWords = {
  Alipay: '支付寶',
  'WeChat Pay': '微信支付',
  UnionPay: '銀聯',
  Card: '卡片',
  'Code in your payment app': '支付應用程式中的付款條碼',
  'Convenience store': '便利商店',
  'Bank transfer': '銀行轉帳',
  'Test mode: no wallet opens, and a test card is charged.':
    '測試模式：不會打開錢包，將使用測試卡扣款。',
  'Number below the code': '付款條碼下方的數字',
  'Enter the number below the code in your app.': '請輸入應用程式中付款條碼下方的數字。',
  "We don't recognise this code. Check the number, or show a new code.":
    '無法識別此付款條碼。請檢查數字，或顯示新的付款條碼。',
  'Show QR code': '顯示QR Code',
  'Where will you pay?': '您在哪裡付款？',
  'Choose a store.': '請選擇商店。',
  'Choose one of the stores.': '請從列表中選擇商店。',
  'Your name': '您的姓名',
  'Enter your name.': '請輸入您的姓名。',
  "This name is too long or has characters we can't use.": '姓名過長，或含有無法使用的字符。',
  'Phone number': '電話號碼',
  'A Japanese number, such as 090-1234-5678.': '日本的電話號碼，例如 090-1234-5678。',
  'Enter your phone number.': '請輸入電話號碼。',
  'Enter a Japanese phone number.': '請輸入日本的電話號碼。',
  'Get payment number': '獲取付款號碼',
  'Cancel your payment number?': '要取消付款號碼嗎？',
  'The store will refuse this number. If you have already paid, keep it: we confirm within minutes.':
    '此號碼將無法在商店使用。如果您已付款，請保留號碼：我們會在幾分鐘內確認付款。',
  'Payment number': '付款號碼',
  'Cancel number': '取消號碼',
  'Keep number': '保留號碼',
  'Continue to {brand}': '前往{brand}',
  'Show bank details': '顯示轉帳資訊',
  'Cancel your bank transfer?': '要取消銀行轉帳嗎？',
  'The bank will refuse this transfer. If you have already sent it, keep it: it can take a business day.':
    '此帳戶將不再接收您的款項。如果您已轉帳，請不要取消：可能要到下一個工作日才能到帳。',
  'Account number': '帳號',
  'Cancel transfer': '取消轉帳',
  'Keep transfer': '保留轉帳',
  'Payment slip number': '付款單號碼（払込票番号）',
  'How to pay at the till': '如何在收銀台付款',
  'Say “Internet shiharai” (インターネット支払い) at the till.':
    '在收銀台說“Internet shiharai”（インターネット支払い）。',
  'Show the bar code, or tell the payment slip number.': '出示條碼，或告知付款單號碼。',
  'Check the amount on the screen of the till, press the button to confirm, and pay.':
    '在收銀台螢幕上確認金額，按確認按鈕，然後付款。',
  'Keep the receipt.': '請保留收據。',
  'First number (company code)': '第一個號碼（企業代碼）',
  'Second number (order number)': '第二個號碼（訂單號碼）',
  'First number (payment code)': '第一個號碼（付款代碼）',
  'Second number (confirmation)': '第二個號碼（確認號碼）',
  'How to pay at the multi-copy machine': '如何在多功能影印機上付款',
  'On the multi-copy machine, press “代金支払い/チャージ” (payments and charging).':
    '在多功能影印機上按“代金支払い/チャージ”（付款和儲值）。',
  'Press “番号入力” (enter a number), then type the numbers above in their order.':
    '按“番号入力”（輸入號碼），然後依次輸入上面的號碼。',
  'Check the details and press “確認” (confirm). A slip (申込券) is printed.':
    '核對內容並按“確認”（確認）。機器會列印申請單（申込券）。',
  'Take the slip to the till within 30 minutes and pay.': '請在30分鐘內將申請單拿到收銀台付款。',
  'Customer number': '客戶號碼（お客様番号）',
  'Confirmation number': '確認號碼（確認番号）',
  'How to pay at the Loppi terminal': '如何在Loppi終端機上付款',
  'On the Loppi, press “各種番号をお持ちの方” (I have a number).':
    '在Loppi上按“各種番号をお持ちの方”（我有號碼）。',
  'Type the numbers above in their order, and press “次へ” (next) after each.':
    '依次輸入上面的號碼，每次輸入後按“次へ”（下一步）。',
  'Check the details and press “確定する” (confirm). A slip (申込券) is printed.':
    '核對內容並按“確定する”（確定）。機器會列印申請單（申込券）。',
  'Reception number': '受理號碼（受付番号）',
  'Say “Internet daikin shiharai” (インターネット代金支払い) at the till.':
    '在收銀台說“Internet daikin shiharai”（インターネット代金支払い）。',
  'Enter the numbers above in this order on the register screen.':
    '在收銀台螢幕上依次輸入上面的號碼。',
  'Check the details, press the button to confirm, and pay.': '核對內容，按確認按鈕，然後付款。',
  'Online payment number': '線上結算號碼（オンライン決済番号）',
  'Say “Online kessai” (オンライン決済) at the till.':
    '在收銀台說“Online kessai”（オンライン決済）。',
  'Type the online payment number on the screen for customers.':
    '在面向顧客的螢幕上輸入線上結算號碼。',
  'All Circle K shops are FamilyMart shops now. Please pay at FamilyMart.':
    'Circle K的店鋪現已全部改為FamilyMart。請在FamilyMart付款。',
  'All Sunkus shops are FamilyMart shops now. Please pay at FamilyMart.':
    'Sunkus的店鋪現已全部改為FamilyMart。請在FamilyMart付款。',
  'Billing organization number': '收款機構號碼（収納機関番号）',
  'How to pay at a cash machine or in your online banking': '如何在ATM或網路銀行付款',
  'Choose “税金・料金払込み” (taxes and fees) or “Pay-easy”.':
    '選擇“税金・料金払込み”（稅金和費用）或“Pay-easy”。',
  'Type the numbers above in their order.': '依次輸入上面的號碼。',
  'Check the name and the amount, then pay.': '確認姓名和金額，然後付款。',
  'Keep the statement of the machine, or a picture of the last screen.':
    '請保留機器的明細單，或最後一個畫面的截圖。',
}
