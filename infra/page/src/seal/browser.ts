// What 3-D Secure 2 asks of the payer's browser. The service leaves out what it does not take.

import type { BrowserMeasures } from "../service/screen";

export function measures({ navigator, screen }: Pick<Window, "navigator" | "screen">): BrowserMeasures {
  return {
    language: navigator.language,
    screen_width: Math.round(screen.width),
    screen_height: Math.round(screen.height),
    color_depth: Math.round(screen.colorDepth),
    time_zone_offset: Math.round(new Date().getTimezoneOffset()),
    java_enabled: navigator.javaEnabled?.() ?? false,
    javascript_enabled: true,
  };
}
