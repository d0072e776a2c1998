import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { method_facts } from '../../src/methods/method-facts.ts'
import { App } from './app.tsx'
import '../design/tokens.css'
import '../design/base.css'
import './console.css'

// Used here, so that the names of payment methods are loaded with the frame: nearly every screen shows them.
Object.freeze(method_facts)

const root = document.getElementById('app')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
