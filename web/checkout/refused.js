// This page may not be shown where it is. The page around it gets the reason, and customers read it.
import { applyLook } from './field-look.js'

const { parent: shop, code, message } = document.querySelector('main').dataset

function tell(type, more) {
  parent.postMessage({ kaikei: type, ...more }, shop)
}

if (parent !== window) {
  applyLook(location.hash.slice(1))
  tell('refused', { code, message })
  tell('height', { height: Math.ceil(document.body.getBoundingClientRect().height) })
}
