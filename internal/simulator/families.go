package simulator

// families are the providers, each in a file of its own.
var families = []family{}
