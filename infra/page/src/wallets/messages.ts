// What the page and the frame of Google Pay tell each other. Each takes messages of the other's window and origin only.

/** ToFrame is what the page tells the frame. */
export type ToFrame =
  // Whether it can pay.
  | { type: "wallet:show"; environment: string; ready: object; text: string; lang: string; dir: string }
  | { type: "wallet:open"; request: object }; // the sheet, as an answer to wallet:pressed

/** ToPage is what the frame tells the page. */
export type ToPage =
  | { type: "wallet:listening" }
  | { type: "wallet:ready"; ready: boolean }
  | { type: "wallet:pressed" }
  | { type: "wallet:token"; token: string; contact: Record<string, string> } // what it tells of the payer, by field id
  | { type: "wallet:closed" } // by the payer
  | { type: "wallet:failed" };
