import type { ChargeRoute } from '../../store/tables/payments/provider-tables.ts'

const reasons = {
  merchant: 'rules of the merchant',
  installation: 'rules of the installation',
} as const

/** The route of a charge in words: `tokyo (rule 1), then world (rule 3); rules of the merchant`. */
export function routeText({ rules, candidates }: ChargeRoute): string {
  const names = candidates.map(({ connector, position, circuit }) => {
    const facts = [
      ...(position === null ? [] : [`rule ${position}`]),
      ...(circuit === 'open' ? ['circuit open'] : []),
    ]
    return facts.length === 0 ? connector : `${connector} (${facts.join(', ')})`
  })
  const where = names.length === 0 ? 'no connector' : names.join(', then ')
  return `${where}; ${rules === null ? 'no rules, order of creation' : reasons[rules]}`
}
