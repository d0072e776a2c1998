import type { Config } from '../../config.ts'
import type { TestScenario } from '../../methods/contract/payment-method.ts'

/** The card simulator's reaction to a charge. */
export interface Scenario {
  /** The error the charge ends with; null if it is approved. */
  readonly refuse_code: number | null
  /** How long after the call the outcome becomes known. */
  readonly delay_ms: number
  /** The first call takes effect, but its response is lost. */
  readonly lose_first_response: boolean
  readonly refund_fails: boolean
  readonly void_fails: boolean
  /** The customer disputes the charge once it is paid. */
  readonly disputed: boolean
}

type Described = Omit<TestScenario, 'group'>

interface CardScenario extends Described {
  readonly by: 'card' | 'card_ending'
  readonly digits: string
  readonly effects: Partial<Scenario>
  readonly challenge?: true
}

/** Tags stand between `+` signs before the `@` of an address; there can be several. */
interface EmailScenario extends Described {
  readonly by: 'email_tag'
  readonly tag: RegExp
  effects(value: number): Partial<Scenario>
}

const max_delay_s = 60

/** The card simulator's scenarios. Later rows win over earlier ones. */
export const card_scenarios: readonly (CardScenario | EmailScenario)[] = [
  {
    id: 'card_succeeds',
    trigger: '`4242424242424242`',
    effect: 'Charge succeeds, like that of every number without another effect',
    by: 'card',
    digits: '4242424242424242',
    effects: {},
  },
  refusingCard('card_declined', '4000000000000002', 306, 'the issuer declines'),
  refusingCard('card_insufficient_funds', '4000000000009995', 330, 'insufficient funds'),
  refusingCard('card_expired', '4000000000000069', 304, 'the card has expired'),
  refusingCard('card_wrong_cvv', '4000000000000127', 305, 'wrong security code'),
  refusingCard('card_processing_error', '4000000000000119', 309, 'processing error'),
  challengeCard('4000000000003220'),
  challengeCard('4000000000003063'),
  {
    id: 'card_refund_fails',
    trigger: '`4000000000005126`',
    effect: 'Charge works, refund fails with 329',
    by: 'card',
    digits: '4000000000005126',
    effects: { refund_fails: true },
  },
  {
    id: 'card_cancel_fails',
    trigger: '`4000000000007726`',
    effect: 'Charge works, cancel fails with 312',
    by: 'card',
    digits: '4000000000007726',
    effects: { void_fails: true },
  },
  {
    id: 'card_disputed',
    trigger: '`4000000000000259`',
    effect: 'Charge works; one second later the customer disputes all of it as `fraudulent`',
    by: 'card',
    digits: '4000000000000259',
    effects: { disputed: true },
  },
  {
    id: 'card_ending_1111',
    trigger: 'ends in `1111`, with `COMPATIBILITY=clients` only',
    effect: 'Charge fails with 301: card number not valid',
    by: 'card_ending',
    digits: '1111',
    effects: { refuse_code: 301 },
  },
  {
    id: 'card_ending_4242',
    trigger: 'ends in `4242`, with `COMPATIBILITY=clients` only',
    effect: 'Charge works, refund fails with 329',
    by: 'card_ending',
    digits: '4242',
    effects: { refund_fails: true },
  },
  {
    id: 'card_ending_1881',
    trigger: 'ends in `1881`, with `COMPATIBILITY=clients` only',
    effect: 'Charge works, cancel fails with 312',
    by: 'card_ending',
    digits: '1881',
    effects: { void_fails: true },
  },
  {
    id: 'email_charge_failure',
    trigger: 'e-mail `x+charge-failure-NNN@…`',
    effect: 'Charge ends with error NNN: 3xx `failed`, 5xx `error`; other numbers have no effect',
    by: 'email_tag',
    tag: /^charge-failure-([35]\d\d)$/i,
    effects: (code) => ({ refuse_code: code }),
  },
  {
    id: 'email_delay',
    trigger: 'e-mail `x+delay-S@…`',
    effect: `The provider responds after S seconds, 0 to ${max_delay_s}; other numbers have no effect`,
    by: 'email_tag',
    tag: /^delay-(\d{1,2})$/i,
    effects: (seconds) => (seconds > max_delay_s ? {} : { delay_ms: seconds * 1000 }),
  },
  {
    id: 'email_timeout',
    trigger: 'e-mail `x+timeout@…`',
    effect: "The provider's first response is lost; an inquiry finds the outcome",
    by: 'email_tag',
    tag: /^timeout$/i,
    effects: () => ({ lose_first_response: true }),
  },
  {
    id: 'email_dispute',
    trigger: 'e-mail `x+dispute@…`',
    effect: 'The customer disputes the charge one second after payment; not for deposits',
    by: 'email_tag',
    tag: /^dispute$/i,
    effects: () => ({ disputed: true }),
  },
]

function refusingCard(id: string, digits: string, refuse_code: number, why: string): CardScenario {
  return {
    id,
    trigger: `\`${digits}\``,
    effect: `Charge fails with ${refuse_code}: ${why}`,
    by: 'card',
    digits,
    effects: { refuse_code },
  }
}

function challengeCard(digits: string): CardScenario {
  return {
    id: `card_challenge:${digits.slice(-4)}`,
    trigger: `\`${digits}\``,
    effect: 'Charge waits for the 3-D Secure challenge on its hosted page; then it works',
    by: 'card',
    digits,
    effects: {},
    challenge: true,
  }
}

/** Whether the simulated issuer wants to ask the customer before it lets this card pay. */
export function needsChallenge(number: string): boolean {
  return card_scenarios.some(
    (one) => one.by === 'card' && one.challenge === true && one.digits === number,
  )
}

function tagsOf(email: string): string[] {
  return email
    .slice(0, Math.max(email.lastIndexOf('@'), 0))
    .split('+')
    .slice(1)
}

/** The effects of a row on a charge; null if the row does not apply. */
function effectsOf(
  test: CardScenario | EmailScenario,
  number: string,
  tags: readonly string[],
  compatibility: Config['compatibility'],
): Partial<Scenario> | null {
  switch (test.by) {
    case 'card':
      return number === test.digits ? test.effects : null
    case 'card_ending':
      return compatibility === 'clients' && number.endsWith(test.digits) ? test.effects : null
    case 'email_tag': {
      const found = tags.map((tag) => test.tag.exec(tag)).find((match) => match !== null)
      return found ? test.effects(Number(found[1])) : null
    }
  }
}

const everything_works: Scenario = {
  refuse_code: null,
  delay_ms: 0,
  lose_first_response: false,
  refund_fails: false,
  void_fails: false,
  disputed: false,
}

/** The scenario that a card and an e-mail address select together. */
export function readScenario(charge: {
  number: string
  email: string | null
  compatibility: Config['compatibility']
}): Scenario {
  const tags = tagsOf(charge.email ?? '')
  let scenario = everything_works
  for (const one of card_scenarios) {
    const effects = effectsOf(one, charge.number, tags, charge.compatibility)
    if (effects) scenario = { ...scenario, ...effects }
  }
  return scenario
}
