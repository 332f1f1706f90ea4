/** @module cli/doctor/vendors - the hub, and what was found of each vendor's program, as checks. */
import type { VendorInfo } from '../../protocol/api.js'
import { asMeowError } from '../../protocol/errors.js'
import { count } from '../figures.js'
import type { HubAccess } from '../hub-access.js'
import { safeLine } from '../safe-text.js'
import { type Check, missing, ok, warn } from './check.js'

export async function checkHub(hubs: HubAccess): Promise<Check> {
  try {
    const hub = await hubs.find()
    if (hub === null) return ok('hub', 'not running; it starts when it is needed')
    const { pid, port, sessions } = await hub.info()
    return ok('hub', `running, pid ${pid}, port ${port}, ${count(sessions, 'session')}`)
  } catch (thrown) {
    const { detail, hint } = asMeowError(thrown)
    return missing('hub', detail, hint ?? `agent-meow down; its log: ${hubs.home}/hub.log`)
  }
}

/** One line a vendor: found, tested version, logged in, and the first thing to mend. */
export function checkVendor(vendor: VendorInfo): Check {
  if (vendor.binary === null) return missing(vendor.id, `${vendor.name} not found`, vendor.installHint)
  const version = safeLine(vendor.version ?? 'version not known', 40)
  const tested = vendor.testedVersions.includes(vendor.version ?? '')
  const range = tested ? 'tested' : `tested with ${vendor.testedVersions.join(', ') || 'no version'}`
  const detail = `${vendor.name} ${version} (${range}), ${vendor.binary}; login: ${safeLine(vendor.auth.detail, 160)}`
  if (vendor.auth.status === 'missing') return missing(vendor.id, `no login: ${detail}`, vendor.loginHint)
  if (vendor.auth.status === 'unknown') return warn(vendor.id, detail, vendor.loginHint)
  return tested ? ok(vendor.id, detail) : warn(vendor.id, detail, null)
}
