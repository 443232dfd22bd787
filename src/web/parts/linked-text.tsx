import { Fragment } from 'react';

const LINK = /(https?:\/\/[^\s<>()]+[^\s<>().,;:!?])/g;

/** A text that people wrote, with its URLs as links, which also lie above a link that covers the whole entry. */
export const LinkedText = ({ text }: { text: string }) =>
  text.split(LINK).map((part, at) =>
    at % 2 === 1 ? (
      <a key={String(at)} href={part} target="_blank" rel="noreferrer" className="relative text-accent-text underline">
        {part}
      </a>
    ) : (
      <Fragment key={String(at)}>{part}</Fragment>
    ),
  );
