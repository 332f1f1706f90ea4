/** @module test/support/homes/pi - Pi on the model server's chat-completions API. */
import { scriptedHome } from '../../../adapters/pi/demo.js'
import { freshFolders, put, type VendorSetup } from './home.js'

/** Price of Pi's model in the tests, US dollars per million tokens. */
export const PI_PRICE = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0.5 }

/** Pi: one provider, no dialogs. It never asks before a tool runs. */
export function piSetup(root: string, modelUrl: string): VendorSetup {
  const { home, cwd, env } = freshFolders(root, 'pi')
  const scripted = scriptedHome({
    home,
    modelUrl,
    provider: 'scripted',
    models: ['scripted-model', 'scripted-two'],
    price: PI_PRICE,
  })
  for (const { path, text } of scripted.files) put(path, text)
  return {
    vendor: 'pi',
    env: { ...env, ...scripted.env },
    cwd,
    args: [],
    ready: /scripted-model • /,
    trustDialog: null,
  }
}
