// The products of the shop. Prices are in yen, with tax; pictures are in public/.
export const currency = 'JPY'

export const products = [
  {
    id: 'sencha',
    price: 1600,
    ja: { name: '深蒸し煎茶', about: '静岡・牧之原の一番茶。100g缶入り。' },
    en: {
      name: 'Deep-steamed sencha',
      about: 'First flush from Makinohara, Shizuoka. A tin of 100 g.',
    },
  },
  {
    id: 'yunomi',
    price: 2800,
    ja: { name: '粉引の湯のみ', about: '手になじむ、やわらかな白。容量180ml。' },
    en: { name: 'White-slip teacup', about: 'Thrown by hand, glazed in a soft white. 180 ml.' },
  },
  {
    id: 'kyusu',
    price: 9800,
    ja: { name: '常滑の急須', about: '朱泥の横手急須。細かな茶こし付き。350ml。' },
    en: {
      name: 'Tokoname teapot',
      about: 'Red clay with a side handle and a fine strainer. 350 ml.',
    },
  },
]

export const findProduct = (id) => products.find((product) => product.id === id)

/** Items with the prices of now: an order keeps them, whatever they cost later. */
export const priceItems = (cart) =>
  Object.entries(cart).map(([id, quantity]) => ({ id, quantity, price: findProduct(id).price }))

export const sumOf = (items) => items.reduce((sum, item) => sum + item.quantity * item.price, 0)
