import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useRead } from '../api/api-hooks.ts'
import { useMode } from '../api/mode.ts'
import { ConfirmAgain } from '../parts/overlays/confirm-again.tsx'
import { main_content } from '../parts/screen/main-content.ts'
import { TimeFrameProvider, useTimeFrame } from '../parts/values/time-text.tsx'
import { formatZone } from '../words/format-values.ts'
import { frame_words } from '../words/frame-words.ts'
import { useLanguage, useWords } from '../words/language.tsx'
import { part_words } from '../words/part-words.ts'
import { Navigation } from './navigation.tsx'
import { StaleBand } from './stale-band.tsx'
import { StoreChoiceProvider } from './store-choice.tsx'
import { TopBar } from './top-bar.tsx'
import './frame.css'

/** The frame around every screen: navigation, top bar, the band of test mode. */
export function Frame({ children }: { children: ReactNode }) {
  const words = useWords(frame_words)
  const mode = useMode()
  const [path] = useLocation()
  const [is_menu_open, setMenuOpen] = useState(false)
  const shown_path = useRef(path)
  useEffect(() => {
    if (path === shown_path.current) return
    shown_path.current = path
    setMenuOpen(false)
    scrollTo(0, 0)
    main_content.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <MerchantTime>
      <StoreChoiceProvider>
        <a className="skip" href="#content">
          {words.skip}
        </a>
        <div className={`frame ${mode}`}>
          <Navigation open={is_menu_open} close={() => setMenuOpen(false)} />
          <div className="frame-main">
            <TopBar openMenu={() => setMenuOpen(true)} />
            {mode === 'test' && (
              <aside className="test-band" aria-label={words.test_band}>
                <strong>{words.test_band}</strong> {words.test_meaning}
              </aside>
            )}
            <StaleBand />
            <main id="content" tabIndex={-1} ref={main_content}>
              {children}
              <ZoneName />
            </main>
          </div>
        </div>
        <ConfirmAgain />
      </StoreChoiceProvider>
    </MerchantTime>
  )
}

/** Once on each screen. */
function ZoneName() {
  const { zone: zone_words } = useWords(part_words)
  const { language } = useLanguage()
  const { zone } = useTimeFrame()
  return <p className="zone">{zone_words(formatZone(zone, language))}</p>
}

const default_zone = 'Asia/Tokyo'

/** In test mode "two hours ago" is two hours of the test clock. */
function MerchantTime({ children }: { children: ReactNode }) {
  const mode = useMode()
  const { data: me } = useRead((api) => api.merchant.get())
  const { data: clock, dataUpdatedAt } = useRead((api) => api.test.getClock(), {
    enabled: mode === 'test',
  })
  const zone = me?.configuration.display_time_zone ?? default_zone
  const ahead_ms = clock ? Date.parse(clock.now) - dataUpdatedAt : 0
  return <TimeFrameProvider value={{ zone, ahead_ms }}>{children}</TimeFrameProvider>
}
