import type { MethodWords } from './method-words.ts'

export const method_words_ko: MethodWords = {
  Alipay: 'Alipay',
  'WeChat Pay': 'WeChat Pay',
  UnionPay: 'UnionPay',
  Card: '카드',
  'Code in your payment app': '결제 앱의 코드',
  'Convenience store': '편의점',
  'Bank transfer': '은행 이체',
  'Test mode: no wallet opens, and a test card is charged.':
    '테스트 모드: 지갑이 열리지 않고 테스트 카드로 결제됩니다.',
  'Number below the code': '코드 아래의 번호',
  'Enter the number below the code in your app.': '앱에 표시된 코드 아래의 번호를 입력하세요.',
  "We don't recognise this code. Check the number, or show a new code.":
    '확인할 수 없는 코드입니다. 번호를 확인하거나 새 코드를 여세요.',
  'Show QR code': 'QR 코드 표시',
  'Where will you pay?': '어디에서 결제하시겠습니까?',
  'Choose a store.': '편의점을 선택하세요.',
  'Choose one of the stores.': '목록에서 편의점을 선택하세요.',
  'Your name': '이름',
  'Enter your name.': '이름을 입력하세요.',
  "This name is too long or has characters we can't use.":
    '이름이 너무 길거나 사용할 수 없는 문자가 있습니다.',
  'Phone number': '전화번호',
  'A Japanese number, such as 090-1234-5678.': '일본 전화번호. 예: 090-1234-5678',
  'Enter your phone number.': '전화번호를 입력하세요.',
  'Enter a Japanese phone number.': '일본 전화번호를 입력하세요.',
  'Get payment number': '결제 번호 받기',
  'Cancel your payment number?': '결제 번호를 취소하시겠습니까?',
  'The store will refuse this number. If you have already paid, keep it: we confirm within minutes.':
    '이 번호는 더 이상 사용할 수 없게 됩니다. 이미 결제했다면 취소하지 마세요. 몇 분 안에 확인됩니다.',
  'Payment number': '결제 번호',
  'Cancel number': '번호 취소',
  'Keep number': '번호 유지',
  'Continue to {brand}': '{brand} 계속하기',
  'Show bank details': '이체 계좌 표시',
  'Cancel your bank transfer?': '은행 이체를 취소하시겠습니까?',
  'The bank will refuse this transfer. If you have already sent it, keep it: it can take a business day.':
    '이 계좌로는 더 이상 입금할 수 없게 됩니다. 이미 이체했다면 취소하지 마세요. 다음 영업일까지 걸릴 수 있습니다.',
  'Account number': '계좌 번호',
  'Cancel transfer': '이체 취소',
  'Keep transfer': '이체 유지',
  'Payment slip number': '납부서 번호(払込票番号)',
  'How to pay at the till': '계산대에서 결제하는 방법',
  'Say “Internet shiharai” (インターネット支払い) at the till.':
    '계산대에서 “Internet shiharai”(インターネット支払い)라고 말하세요.',
  'Show the bar code, or tell the payment slip number.':
    '바코드를 보여 주거나 납부서 번호를 알려 주세요.',
  'Check the amount on the screen of the till, press the button to confirm, and pay.':
    '계산대 화면에서 금액을 확인하고 확인 버튼을 누른 뒤 결제하세요.',
  'Keep the receipt.': '영수증을 보관하세요.',
  'First number (company code)': '첫 번째 번호(기업 코드)',
  'Second number (order number)': '두 번째 번호(주문 번호)',
  'First number (payment code)': '첫 번째 번호(결제 코드)',
  'Second number (confirmation)': '두 번째 번호(확인 번호)',
  'How to pay at the multi-copy machine': '멀티복사기에서 결제하는 방법',
  'On the multi-copy machine, press “代金支払い/チャージ” (payments and charging).':
    '멀티복사기에서 “代金支払い/チャージ”(대금 결제·충전)를 누르세요.',
  'Press “番号入力” (enter a number), then type the numbers above in their order.':
    '“番号入力”(번호 입력)을 누르고 위의 번호를 순서대로 입력하세요.',
  'Check the details and press “確認” (confirm). A slip (申込券) is printed.':
    '내용을 확인하고 “確認”(확인)을 누르세요. 신청권(申込券)이 인쇄됩니다.',
  'Take the slip to the till within 30 minutes and pay.':
    '30분 안에 신청권을 계산대로 가져가 결제하세요.',
  'Customer number': '고객 번호(お客様番号)',
  'Confirmation number': '확인 번호(確認番号)',
  'How to pay at the Loppi terminal': 'Loppi 단말기에서 결제하는 방법',
  'On the Loppi, press “各種番号をお持ちの方” (I have a number).':
    'Loppi에서 “各種番号をお持ちの方”(번호가 있는 분)을 누르세요.',
  'Type the numbers above in their order, and press “次へ” (next) after each.':
    '위의 번호를 순서대로 입력하고 매번 “次へ”(다음)를 누르세요.',
  'Check the details and press “確定する” (confirm). A slip (申込券) is printed.':
    '내용을 확인하고 “確定する”(확정)를 누르세요. 신청권(申込券)이 인쇄됩니다.',
  'Reception number': '접수 번호(受付番号)',
  'Say “Internet daikin shiharai” (インターネット代金支払い) at the till.':
    '계산대에서 “Internet daikin shiharai”(インターネット代金支払い)라고 말하세요.',
  'Enter the numbers above in this order on the register screen.':
    '계산대 화면에 위의 번호를 순서대로 입력하세요.',
  'Check the details, press the button to confirm, and pay.':
    '내용을 확인하고 확인 버튼을 누른 뒤 결제하세요.',
  'Online payment number': '온라인 결제 번호(オンライン決済番号)',
  'Say “Online kessai” (オンライン決済) at the till.':
    '계산대에서 “Online kessai”(オンライン決済)라고 말하세요.',
  'Type the online payment number on the screen for customers.':
    '고객용 화면에 온라인 결제 번호를 입력하세요.',
  'All Circle K shops are FamilyMart shops now. Please pay at FamilyMart.':
    'Circle K는 모두 FamilyMart로 바뀌었습니다. FamilyMart에서 결제하세요.',
  'All Sunkus shops are FamilyMart shops now. Please pay at FamilyMart.':
    'Sunkus는 모두 FamilyMart로 바뀌었습니다. FamilyMart에서 결제하세요.',
  'Billing organization number': '수납 기관 번호(収納機関番号)',
  'How to pay at a cash machine or in your online banking': 'ATM·인터넷 뱅킹에서 결제하는 방법',
  'Choose “税金・料金払込み” (taxes and fees) or “Pay-easy”.':
    '“税金・料金払込み”(세금·요금 납부) 또는 “Pay-easy”를 선택하세요.',
  'Type the numbers above in their order.': '위의 번호를 순서대로 입력하세요.',
  'Check the name and the amount, then pay.': '이름과 금액을 확인하고 결제하세요.',
  'Keep the statement of the machine, or a picture of the last screen.':
    '이용 명세표나 마지막 화면의 사진을 보관하세요.',
}
