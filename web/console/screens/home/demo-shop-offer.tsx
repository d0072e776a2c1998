import { useEffect, useState } from 'react'
import { useChange, useRead } from '../../api/api-hooks.ts'
import { Button } from '../../parts/forms/button.tsx'
import { FormError } from '../../parts/forms/form-fields.tsx'
import { useWords } from '../../words/language.tsx'
import { demo_shop_words } from './demo-shop-words.ts'

/** For the operator of a service for tests: a shop with half a year in it, beside this empty one. */
export function DemoShopOffer() {
  const words = useWords(demo_shop_words)
  const [is_wanted, setWanted] = useState(false)
  const { data: shop } = useRead((api) => api.operator.getDemoShop(), {
    refresh_ms: is_wanted ? 2000 : 15_000,
  })
  const create = useChange((api) => api.operator.createDemoShop({}), ['operator'])
  const { mutate: enter, error } = useChange(
    (api) => api.operator.createDemoShopLink({}),
    ['operator'],
  )
  const is_ready = shop?.is_ready ?? false
  useEffect(() => {
    if (!is_wanted || !is_ready) return
    setWanted(false)
    enter(undefined, { onSuccess: ({ url }) => window.location.assign(url) })
  }, [is_wanted, is_ready, enter])
  if (!shop || !(shop.is_allowed || shop.merchant_id)) return null
  const is_filling = create.isPending || (shop.merchant_id !== null && !is_ready)
  const submit = () => {
    setWanted(true)
    if (!shop.merchant_id) create.mutate(undefined, { onError: () => setWanted(false) })
  }
  return (
    <section className="demo-offer">
      <p>{shop.merchant_id ? words.exists : words.text}</p>
      <Button busy={is_filling} onClick={submit}>
        {shop.merchant_id ? words.open : words.create}
      </Button>
      {is_filling && <p role="status">{words.working}</p>}
      <FormError error={create.error ?? error} />
    </section>
  )
}
