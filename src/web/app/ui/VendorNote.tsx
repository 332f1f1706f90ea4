/** @module web/ui/VendorNote - what stands between a vendor's program and its start. */
import type { VendorInfo } from '../../../protocol/api.js'

export function VendorNote({ vendor }: { vendor: VendorInfo }) {
  if (vendor.binary === null) return <p className="form-note">Not installed. {vendor.installHint}</p>
  if (vendor.auth.status === 'missing') {
    return (
      <p className="form-note">
        Not logged in: {vendor.auth.detail} {vendor.loginHint}
      </p>
    )
  }
  const { version, testedVersions } = vendor
  if (version !== null && testedVersions.length > 0 && !testedVersions.includes(version)) {
    return <p className="form-note muted">Version {version} is not one of the tested versions.</p>
  }
  return null
}
