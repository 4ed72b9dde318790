// What the page shows after a form, and of cards that are saved: a script of its own.

export { Saved, SaveBox } from "../methods/saved";
export { Sign } from "../look/sign";
export { Actions, WaysOut } from "./actions";
export { SecondForm } from "./second";
