// Apple Pay in live mode: the wallet opens with a session that the acquirer got from Apple, and what it gives
// is sent as the form.

/** The version of Apple Pay on the web that has everything used here. */
const version = 3

function openWallet(form, path, { send, fail }) {
  const { email, cardholder, applepay_token } = form.elements
  const request = JSON.parse(form.dataset.walletRequest)
  if (email) request.requiredShippingContactFields = ['email']
  const session = new ApplePaySession(version, request)
  session.onvalidatemerchant = async ({ validationURL: validation_url }) => {
    try {
      const response = await fetch(`${path}/apple_pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ validation_url }),
      })
      if (!response.ok) throw new Error(response.statusText)
      session.completeMerchantValidation((await response.json()).session)
    } catch {
      session.abort()
      fail()
    }
  }
  session.onpaymentauthorized = ({ payment }) => {
    const { token, billingContact, shippingContact } = payment
    applepay_token.value = JSON.stringify(token)
    const names = [billingContact?.givenName, billingContact?.familyName]
    cardholder.value = names.filter(Boolean).join(' ')
    if (email) email.value = shippingContact?.emailAddress ?? ''
    const { STATUS_SUCCESS, STATUS_FAILURE } = ApplePaySession
    void send((is_taken) => session.completePayment(is_taken ? STATUS_SUCCESS : STATUS_FAILURE))
  }
  session.begin()
}

/** Opens the wallet when its button is pressed: browsers allow it only right then. */
export function offerWallet(form, path, actions) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!form.querySelector('[aria-disabled="true"]')) openWallet(form, path, actions)
  })
}
