import type { TestScenario } from '../contract/payment-method.ts'
import { wallet_scenarios } from '../pieces/simulate-wallet.ts'
import { qr_scan_facts, qr_scan_prefixes } from './qr-scan-facts.ts'

function prefixesOf(brand: string): string {
  const prefixes = Object.entries(qr_scan_prefixes).filter(([, name]) => name === brand)
  return prefixes.map(([prefix]) => `\`${prefix}…\``).join(', ')
}

export const qr_scan_scenarios: readonly TestScenario[] = [
  ...Object.keys(qr_scan_facts.brands).map((brand) => ({
    group: 'scanned QR code',
    lever: `code ${prefixesOf(brand)}`,
    effect: `The wallet is \`${brand}\``,
  })),
  ...wallet_scenarios.map(({ ending, code, effect }) => ({
    group: 'scanned QR code',
    lever: `code that ends in \`${ending}\``,
    effect: `Charge fails with ${code}: ${effect}`,
  })),
]
