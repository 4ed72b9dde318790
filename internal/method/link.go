package method

// linkMethods send the payer a link to pay.
var linkMethods = []Method{
	payin(Method{
		ID: "link_email", Label: "M18", Name: "Link by e-mail", Behaviour: LinkSent, Group: "link",
	}, securityRows, securityRule),
	payin(Method{
		ID: "link_sms", Label: "M18", Name: "Link by SMS", Behaviour: LinkSent, Group: "link",
	}, securityRows, securityRule),
}

var securityRows = []Param{
	{Name: "SecurityQuestion", Type: TypeString, Need: Optional},
	{Name: "SecurityQuestionAnswer", Type: TypeString, Need: Optional, Check: ruleLinkSecret, Sensitive: true},
}

var securityRule = Rule{Name: "a secret only beside a question", Find: secretNotAlone}

func secretNotAlone(sent map[string]any) (row, text string) {
	if sent["SecurityQuestionAnswer"] != nil && sent["SecurityQuestion"] == nil {
		return "SecurityQuestion", TextBlank
	}
	return "", ""
}
