import { useChange, useRead } from '../../api/api-hooks.ts'
import { Button } from '../../parts/forms/button.tsx'
import { FormError } from '../../parts/forms/form-fields.tsx'
import { useWords } from '../../words/language.tsx'
import { demo_shop_words } from './demo-shop-words.ts'

/** For the operator of a service for tests: a shop with half a year in it, beside this empty one. */
export function DemoShopOffer() {
  const words = useWords(demo_shop_words)
  const { data: shop } = useRead((api) => api.operator.getDemoShop())
  const enter = useChange(
    (api, merchant_id: string | null) =>
      merchant_id ? api.operator.createDemoShopLink({}) : api.operator.createDemoShop({}),
    ['operator'],
  )
  if (!shop || !(shop.is_allowed || shop.merchant_id)) return null
  const submit = () =>
    enter.mutate(shop.merchant_id, { onSuccess: ({ url }) => window.location.assign(url) })
  return (
    <section className="demo-offer">
      <p>{shop.merchant_id ? words.exists : words.text}</p>
      <Button busy={enter.isPending} onClick={submit}>
        {shop.merchant_id ? words.open : words.create}
      </Button>
      {enter.isPending && !shop.merchant_id && <p role="status">{words.working}</p>}
      <FormError error={enter.error} />
    </section>
  )
}
