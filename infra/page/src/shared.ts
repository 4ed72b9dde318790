// The build puts here what the page gives to the scripts that are loaded later: build/shared.mjs names it.
export {};
