import { defineWords } from '../../words/language.tsx'

export const demo_shop_words = defineWords(
  {
    text: 'Or look at a shop that has been in business for half a year, with invented customers.',
    exists: 'This service has a demo shop with half a year of invented payments.',
    create: 'Create the demo shop',
    open: 'Open the demo shop',
    working: 'Creating half a year of payments. This takes about 20 seconds.',
  },
  {
    text: '半年間営業しているデモショップを作成して、画面を見てみることもできます。顧客は架空です。',
    exists: '半年分の架空の決済が入ったデモショップがあります。',
    create: 'デモショップを作成する',
    open: 'デモショップを開く',
    working: '半年分の決済を作成しています。20秒ほどかかります。',
  },
)
