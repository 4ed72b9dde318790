package story

import (
	"checkout/internal/operator/grant"
)

// everything is the grant of an administrator for all merchants.
func everything(who string) grant.Grant {
	return grant.Grant{Who: who, Role: grant.Admin, Merchants: []string{grant.AllMerchants}, Mode: grant.Both}
}
