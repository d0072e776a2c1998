import { payment_types } from '../../../../src/core/payments/payment-types.ts'
import type { PaymentType } from '../../api/call-api.ts'
import { SelectField } from '../../parts/forms/form-fields.tsx'
import { useBrandName } from '../../words/brand-words.ts'
import { useWords } from '../../words/language.tsx'
import { method_words } from '../../words/status-words.ts'
import { brands_of } from './routing/brands-of.ts'
import { routing_words } from './routing/routing-words.ts'

interface Props {
  payment_type: PaymentType | ''
  chosen?: string
  error?: string | null
}

/** The brands of a payment type; all of them without one. */
export function BrandField({ payment_type, chosen = '', error = null }: Props) {
  const words = useWords(routing_words)
  const brandName = useBrandName()
  const brands = payment_type
    ? brands_of[payment_type]
    : [...new Set(Object.values(brands_of).flat())]
  return (
    <SelectField
      label={words.brand}
      name="brand"
      defaultValue={chosen}
      options={[['', words.any], ...brands.map((brand) => [brand, brandName(brand)] as const)]}
      error={error}
    />
  )
}

interface TypeProps {
  value: string
  change: (type: string) => void
  /** What stands for every type; without it one must be chosen. */
  any?: string
}

export function TypeField({ value, change, any }: TypeProps) {
  const words = useWords(routing_words)
  const types = useWords(method_words)
  return (
    <SelectField
      label={words.payment_type}
      name="payment_type"
      value={value}
      options={[
        ...(any === undefined ? [] : [['', any] as const]),
        ...payment_types.map((type) => [type, types[type]] as const),
      ]}
      onChange={(event) => change(event.target.value)}
    />
  )
}
