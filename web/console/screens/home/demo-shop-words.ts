import { defineWords } from '../../words/language.tsx'

export const demo_shop_words = defineWords(
  {
    text: 'Or explore a demo shop with half a year of invented payments.',
    exists: 'This service has a demo shop with half a year of invented payments.',
    create: 'Create the demo shop',
    open: 'Open the demo shop',
    working: 'Creating half a year of payments. This takes about 20 seconds.',
  },
  {
    text: '半年分の架空の決済が入ったデモショップを作成して、画面を試すこともできます。',
    exists: '半年分の架空の決済が入ったデモショップがあります。',
    create: 'デモショップを作成する',
    open: 'デモショップを開く',
    working: '半年分の決済を作成しています。20秒ほどかかります。',
  },
)
