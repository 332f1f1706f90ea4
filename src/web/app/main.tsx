/** @module web/main - starts the page. */
import './net/zod-setup.js'
import './styles/index.css'
import { createRoot } from 'react-dom/client'
import { App } from './state/app.js'
import { AppContext } from './ui/hooks.js'
import { Root } from './ui/Root.js'

const host = document.getElementById('root')
if (host !== null) {
  const app = new App()
  createRoot(host).render(
    <AppContext value={app}>
      <Root />
    </AppContext>,
  )
  void app.start()
}
