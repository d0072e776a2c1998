import type { Config } from '../../config.ts'

/** What the card simulator does with a charge. */
export interface Scenario {
  /** The error the charge ends with; null: it is approved. */
  readonly refuse_code: number | null
  /** How long after the call the outcome becomes known. */
  readonly delay_ms: number
  /** The first call has its effect, but its answer does not arrive. */
  readonly lose_first_response: boolean
  readonly refund_fails: boolean
  readonly void_fails: boolean
  /** The customer disputes the charge once it is paid. */
  readonly disputed: boolean
}

interface TestScenario {
  /** As the documentation shows it. */
  readonly scenario: string
  readonly effect: string
}

interface CardScenario extends TestScenario {
  readonly by: 'card' | 'card_ending'
  readonly digits: string
  readonly effects: Partial<Scenario>
  readonly challenge?: true
}

/** Tags stand between `+` signs before the `@` of an address, several if need be. */
interface EmailScenario extends TestScenario {
  readonly by: 'email_tag'
  readonly tag: RegExp
  effects(value: number): Partial<Scenario>
}

const max_delay_s = 60

/** What a tester can make the card simulator do. Later rows win over earlier ones. */
export const card_scenarios: readonly (CardScenario | EmailScenario)[] = [
  refusingCard('4000000000000002', 306, 'the issuer declines'),
  refusingCard('4000000000009995', 330, 'insufficient funds'),
  refusingCard('4000000000000069', 304, 'the card has expired'),
  refusingCard('4000000000000127', 305, 'wrong security code'),
  refusingCard('4000000000000119', 309, 'processing error'),
  challengeCard('4000000000003220'),
  challengeCard('4000000000003063'),
  {
    scenario: '`4000000000005126`',
    effect: 'Charge works, refund fails with 329',
    by: 'card',
    digits: '4000000000005126',
    effects: { refund_fails: true },
  },
  {
    scenario: '`4000000000007726`',
    effect: 'Charge works, cancel fails with 312',
    by: 'card',
    digits: '4000000000007726',
    effects: { void_fails: true },
  },
  {
    scenario: '`4000000000000259`',
    effect: 'Charge works; a second later the customer disputes all of it as `fraudulent`',
    by: 'card',
    digits: '4000000000000259',
    effects: { disputed: true },
  },
  {
    scenario: 'ends in `1111`, with `COMPATIBILITY=clients` only',
    effect: 'Charge fails with 301: card number not valid',
    by: 'card_ending',
    digits: '1111',
    effects: { refuse_code: 301 },
  },
  {
    scenario: 'ends in `4242`, with `COMPATIBILITY=clients` only',
    effect: 'Charge works, refund fails with 329',
    by: 'card_ending',
    digits: '4242',
    effects: { refund_fails: true },
  },
  {
    scenario: 'ends in `1881`, with `COMPATIBILITY=clients` only',
    effect: 'Charge works, cancel fails with 312',
    by: 'card_ending',
    digits: '1881',
    effects: { void_fails: true },
  },
  {
    scenario: 'e-mail `x+charge-failure-NNN@…`',
    effect: 'Charge ends with error NNN: 3xx `failed`, 5xx `error`; other numbers do nothing',
    by: 'email_tag',
    tag: /^charge-failure-([35]\d\d)$/i,
    effects: (code) => ({ refuse_code: code }),
  },
  {
    scenario: 'e-mail `x+delay-S@…`',
    effect: `The provider answers after S seconds, 0 to ${max_delay_s}; other numbers do nothing`,
    by: 'email_tag',
    tag: /^delay-(\d{1,2})$/i,
    effects: (seconds) => (seconds > max_delay_s ? {} : { delay_ms: seconds * 1000 }),
  },
  {
    scenario: 'e-mail `x+timeout@…`',
    effect: 'The first answer of the provider is lost; the outcome is found out by asking again',
    by: 'email_tag',
    tag: /^timeout$/i,
    effects: () => ({ lose_first_response: true }),
  },
  {
    scenario: 'e-mail `x+dispute@…`',
    effect: 'The customer disputes the charge a second after it was paid; not deposits',
    by: 'email_tag',
    tag: /^dispute$/i,
    effects: () => ({ disputed: true }),
  },
]

function refusingCard(digits: string, refuse_code: number, why: string): CardScenario {
  return {
    scenario: `\`${digits}\``,
    effect: `Charge fails with ${refuse_code}: ${why}`,
    by: 'card',
    digits,
    effects: { refuse_code },
  }
}

function challengeCard(digits: string): CardScenario {
  return {
    scenario: `\`${digits}\``,
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

/** What a row makes of a charge; null: nothing. */
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

/** What shall happen to a charge of this card and e-mail address. */
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
