/// The landmarks of a hand, by their index in the lists of a result.
#if canImport(ObjectiveC)
  @objc(MPPHandLandmark)
#endif
public enum HandLandmark: UInt, Sendable, CaseIterable {
  /// The wrist.
  case wrist = 0
  /// The joint of the thumb at the wrist.
  case thumbCMC
  /// The joint of the thumb at the palm.
  case thumbMCP
  /// The last joint of the thumb.
  case thumbIP
  /// The tip of the thumb.
  case thumbTIP
  /// The joint of the index finger at the palm.
  case indexFingerMCP
  /// The middle joint of the index finger.
  case indexFingerPIP
  /// The last joint of the index finger.
  case indexFingerDIP
  /// The tip of the index finger.
  case indexFingerTIP
  /// The joint of the middle finger at the palm.
  case middleFingerMCP
  /// The middle joint of the middle finger.
  case middleFingerPIP
  /// The last joint of the middle finger.
  case middleFingerDIP
  /// The tip of the middle finger.
  case middleFingerTIP
  /// The joint of the ring finger at the palm.
  case ringFingerMCP
  /// The middle joint of the ring finger.
  case ringFingerPIP
  /// The last joint of the ring finger.
  case ringFingerDIP
  /// The tip of the ring finger.
  case ringFingerTIP
  /// The joint of the little finger at the palm.
  case pinkyMCP
  /// The middle joint of the little finger.
  case pinkyPIP
  /// The last joint of the little finger.
  case pinkyDIP
  /// The tip of the little finger.
  case pinkyTIP
}
