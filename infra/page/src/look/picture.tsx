// Pictures that may not load: merchants' logos, items of the cart.

import { useState } from "preact/hooks";
import { Icon } from "./icons";

interface PictureProps {
  src: string | undefined;
  name: string | undefined;
  class: string;
  loading?: "lazy";
}

/** Picture is the first letter of the name where there is none, or where it does not load. */
export function Picture({ src, name = "", ...box }: PictureProps) {
  const [failed, fail] = useState("");
  if (src && src !== failed) return <img {...box} src={src} alt="" onError={() => fail(src)} />;
  const letter = [...name.trim()][0];
  return (
    <span {...box} aria-hidden="true">
      {letter ? letter.toUpperCase() : <Icon name="bag" />}
    </span>
  );
}
