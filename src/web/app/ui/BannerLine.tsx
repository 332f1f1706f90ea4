/** @module web/ui/BannerLine - what the hub complained about, until it is dismissed. */
import { useApp, useAppState } from './hooks.js'

export function BannerLine() {
  const app = useApp()
  const banner = useAppState((state) => state.banner)
  if (banner === null) return null
  return (
    <div className="banner" data-tone={banner.tone} role="alert" data-testid="banner">
      <span>
        {banner.text} {banner.hint !== null && <span className="muted">{banner.hint}</span>}
      </span>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => app.dismissBanner()}>
        ✕
      </button>
    </div>
  )
}
