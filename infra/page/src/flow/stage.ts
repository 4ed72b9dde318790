// What a screen is to this page, by what it says and how the page came to it, and what follows.

import type { Screen } from "../service/screen";
import { leadsAway } from "./window";

/** Stage is where the payer stands. From paid and leaving the page goes on by itself, staying waits for the payer. */
export type Stage = "form" | "processing" | "instructed" | "staying" | "leaving" | "paid" | "message";

type Row = [
  then: "" | "poll" | "look" | "tick" | "go", // ask as the service says, look again, tell and go on, go on at once
  waits: boolean, // for something elsewhere, perhaps in a window that this frame has opened
  card: "" | "kept" | "fresh", // the card data of the form before: cleared, kept, or kept while it is fresh
];

/** stages is the table of what follows. */
export const stages: Record<Stage, Row> = {
  form:       ["",     false, "kept"],
  processing: ["poll", true,  "fresh"],
  instructed: ["poll", true,  ""],
  staying:    ["look", true,  ""],
  leaving:    ["go",   false, ""],
  paid:       ["tick", false, ""],
  message:    ["",     false, ""],
};

/** stageOf is the stage of a screen. own: its payment was made here. An unknown kind is a message. */
export function stageOf(screen: Screen, own: boolean, framed: boolean): Stage {
  const { kind, show, fields, message } = screen;
  if (kind === "form") return kind;
  if (kind === "wait") return show || fields ? "instructed" : "processing";
  if (kind !== "go") return "message";
  if (leadsAway(screen)) return own && !framed ? "leaving" : "staying";
  return own && message?.text === "paid" ? "paid" : "leaving";
}
