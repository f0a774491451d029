// Short sounds for what happens on the board, made here rather than loaded.

let audio: AudioContext | null = null;

/** A move, a capture, or the end of the game; silent until the person has touched the page. */
export function sound(what: 'move' | 'capture' | 'end') {
  if (!navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  if (what === 'end') [392, 494, 587].forEach((pitch, i) => tone(pitch, i * 0.09, 0.35));
  else tone(what === 'capture' ? 180 : 260, 0, 0.09);
}

function tone(pitch: number, after: number, length: number) {
  if (!audio) return;
  const start = audio.currentTime + after;
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  source.type = 'triangle';
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(0.12, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}
