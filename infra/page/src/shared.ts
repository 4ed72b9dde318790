// The build puts here what the page gives to the scripts that are loaded later: build.mjs names it.
export {};
