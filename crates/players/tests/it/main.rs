//! What the computer promises: it plays everything there is, and knows no more than its seat.

mod playing;
