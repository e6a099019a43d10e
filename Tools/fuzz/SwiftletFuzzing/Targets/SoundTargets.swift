import SwiftletAudio

/// Audio files.
enum SoundTargets {
  static let all: [FuzzTarget] = [
    FuzzTarget("wav", seeds: { SeedFiles.sounds }) { bytes in _ = try? AudioClip(wav: [UInt8](bytes)) }
  ]
}
