import type { HostedTexts } from './hosted-texts.ts'

const always = (sentence: (store: string) => string) => ({
  money: (store: string) => sentence(store),
  no_money: sentence,
})

export const hosted_texts_ko: HostedTexts = {
  test_banner: { title: '테스트 모드', sentence: '이 페이지에서는 실제로 결제되지 않습니다.' },
  trial: {
    heading: '테스트 모드: 고객을 대신해 조작합니다',
    sentence: '고객에게는 표시되지 않습니다. 다음에 일어날 일을 선택하세요.',
  },
  language: '한국어',
  copy: '복사',
  copied: '복사됨',
  copy_what: (name) => `${name} 복사`,
  print: '이 페이지 인쇄',
  calendar: '캘린더에 추가',
  mail: '이메일로 보내기',
  to_pay: (store) => `${store} 결제`,
  help: (store) => `주문에 관한 문의는 ${store}에 연락해 주세요.`,
  service: '결제 서비스: Kaikei',
  amount: '결제 금액',
  expiry: '결제 기한',
  japan_time: '일본 시간',
  how: '결제 방법',
  check_now: '결제했습니다: 지금 확인',
  not_yet: {
    title: (time) => `아직 결제가 확인되지 않았습니다(${time} 확인).`,
    rest: (time) => `나머지 금액이 아직 입금되지 않았습니다(${time} 확인).`,
    qr: '앱에 결제 완료로 표시되면 1분 이내에 이 페이지가 업데이트됩니다. 두 번 결제하지 마세요.',
    konbini:
      '계산대에서 결제한 뒤 확인까지 몇 분 걸립니다. 영수증을 보관하고 두 번 결제하지 마세요.',
    bank_transfer: '이체는 다음 영업일까지 걸릴 수 있습니다. 두 번 보내지 마세요.',
  },
  online: {
    heading: (brand) => `${brand} 결제`,
    pay: (amount) => `${amount} 결제`,
    pay_nothing: '결제',
    decline: '거절',
    cancel: '취소하고 돌아가기',
  },
  qr: {
    heading: (brand) => `QR 코드를 스캔해 ${brand} 결제`,
    image: (brand) => `${brand} 결제용 QR 코드`,
    steps: [
      (brand) => `휴대폰에서 ${brand} 앱을 열고 스캔을 누르세요.`,
      () => '이 페이지의 QR 코드를 스캔하세요.',
      () => '금액을 확인하고 앱에서 결제를 완료하세요.',
    ],
    wallet: '코드를 스캔한 지갑 열기',
  },
  konbini: {
    heading: {
      till: (place) => `${place}에서 결제`,
      machine: (place) => `${place} 결제`,
    },
    numbers: '결제 번호',
    by_barcode: '계산대에서 바코드 보여 주기',
    show_barcode: '“Internet shiharai”(インターネット支払い)라고 말하고 이 바코드를 보여 주세요.',
    barcode: '결제용 바코드',
    customer_name: '이름',
    test_pay: { till: '계산대에서 결제', machine: '기기에서 결제' },
  },
  bank_transfer: {
    heading: '은행 이체 결제',
    account: '이 계좌로 이체하세요',
    bank: '은행',
    bank_code: '은행 코드',
    branch: '지점',
    branch_code: '지점 코드',
    account_type: '계좌 종류',
    ordinary: '보통 예금(普通)',
    account_number: '계좌 번호',
    account_holder: '예금주',
    amount: '이체 금액',
    rule: {
      exact: (amount) => `정확히 ${amount}을 한 번에 이체해 주세요. 다른 금액은 돌려드립니다.`,
      minimum: (amount) => `${amount} 이상을 한 번에 이체해 주세요. 초과한 금액은 돌려드립니다.`,
      maximum: (amount) => `나누어 결제할 수 있습니다. 합계가 ${amount}을 넘지 않게 해 주세요.`,
      disabled: (amount) => `나누어 결제할 수 있습니다. 합계 ${amount}을 넘는 금액은 돌려드립니다.`,
    },
    fee: '이체 수수료는 고객 부담입니다. 이체 금액에서 빼지 마세요.',
    received: '입금된 금액',
    missing: '남은 금액',
    test_amount: (currency) => `금액(${currency}의 최소 단위)`,
    test_name: '보내는 사람 이름',
    test_transfer: '이체하기',
  },
  returned: {
    reasons: {
      too_little: ({ amount, difference, day }) =>
        `${day}에 ${amount}이 입금되었으나 ${difference} 부족했습니다.`,
      too_much: ({ amount, difference, day }) =>
        `${day}에 ${amount}이 입금되었으나 ${difference} 많았습니다.`,
      surplus: ({ difference, day }) => `${day}의 이체 금액이 ${difference} 많았습니다.`,
      late: ({ amount, day }) => `결제가 끝난 뒤인 ${day}에 ${amount}이 입금되었습니다.`,
      expired: ({ amount }) => `결제 기한까지 ${amount}이 입금되었습니다.`,
      canceled: ({ amount }) => `결제가 취소되었을 때 ${amount}이 입금되어 있었습니다.`,
    },
    states: {
      returning: ({ returned }) => `${returned}을 고객님의 계좌로 돌려드리고 있습니다.`,
      returned: ({ returned }) => `${returned}을 고객님의 계좌로 돌려드렸습니다.`,
      unreturned: ({ returned, store }) =>
        `${returned}을 돌려드릴 수 없었습니다. ${store}에 문의해 주세요.`,
    },
  },
  three_ds: {
    asks: '카드 발급사의 확인',
    heading: '본인이 결제하고 있습니까?',
    question: {
      money: (store, amount) =>
        `${store}에서 고객님의 카드로 ${amount}을 결제합니다. 승인하시겠습니까?`,
      no_money: (store) => `${store}에서 고객님의 카드를 저장합니다. 승인하시겠습니까?`,
    },
    store: '상점',
    card: '카드',
    expiry: '응답 기한',
    card_ending: (brand, last_four) => `${brand}(끝자리 ${last_four})`,
    approve: '예, 승인합니다',
    decline: '아니요, 거절합니다',
    leave: '응답하지 않고 나가기',
  },
  forward: {
    heading: (brand) => `${brand} 결제 계속하기`,
    challenge: '카드 발급사의 확인이 필요합니다',
    sentence: '다른 페이지에서 계속하고, 완료되면 여기로 돌아옵니다.',
    go: '계속',
  },
  end: {
    paid: {
      heading: '결제가 완료되었습니다. 감사합니다!',
      sentence: {
        money: (store, amount) => `${store}에 ${amount}을 결제했습니다.`,
        no_money: (store) => `${store} 결제가 완료되었습니다.`,
      },
    },
    authenticated: {
      heading: '확인되었습니다. 감사합니다!',
      sentence: always(
        (store) => `본인 확인이 완료되었습니다. ${store}(으)로 돌아가 마무리하세요.`,
      ),
    },
    processing: {
      heading: '결제를 처리하고 있습니다',
      sentence: always(() => '더 하실 일은 없습니다. 다시 결제하지 마세요.'),
    },
    declined: {
      heading: '결제가 거절되었습니다',
      sentence: always(
        (store) =>
          `청구되지 않았습니다. ${store}(으)로 돌아가 다시 시도하거나 다른 결제 수단을 이용하세요.`,
      ),
    },
    expired: {
      heading: '결제 기한이 지났습니다',
      sentence: always(
        (store) =>
          '이 페이지의 번호로 결제하지 마세요. ' +
          `다시 주문하려면 ${store}(으)로 돌아가세요. 이미 결제했다면 영수증을 ${store}에 보내 주세요.`,
      ),
    },
    canceled: {
      heading: '결제가 취소되었습니다',
      sentence: always(
        (store) => `더 결제할 금액은 없습니다. 예상하지 못한 취소라면 ${store}에 문의해 주세요.`,
      ),
    },
    used: {
      heading: '이미 사용된 페이지입니다',
      sentence: always(
        (store) => `이 페이지는 한 번만 사용할 수 있습니다. 문의는 ${store}에 해 주세요.`,
      ),
    },
  },
  receipt: {
    number: '영수증 번호',
    paid_on: '결제 일시',
    store: '결제처',
    method: '결제 수단',
    refunded: '환불 금액',
    keep: '문의할 때 이 번호를 상점에 알려 주세요.',
  },
  back: (store) => `${store}(으)로 돌아가기`,
  nobody: {
    heading: '페이지를 찾을 수 없습니다',
    sentence:
      '주소를 확인해 주세요. 메일에서 긴 링크가 잘리는 경우가 있습니다. ' +
      '주소가 맞으면 상점에 새 링크를 요청해 주세요.',
  },
  trouble: {
    heading: '문제가 발생했습니다',
    sentence: '청구되지 않았습니다. 잠시 후 다시 시도해 주세요.',
  },
}
