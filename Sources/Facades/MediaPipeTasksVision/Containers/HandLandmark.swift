/// The points of a hand, by their place in the lists of its landmarks.
#if canImport(ObjectiveC)
  @objc(MPPHandLandmark)
#endif
public enum HandLandmark: UInt, Sendable, CaseIterable {
  /// The wrist.
  case wrist = 0
  /// The thumb's joint at the wrist.
  case thumbCMC
  /// The thumb's base.
  case thumbMCP
  /// The thumb's upper joint.
  case thumbIP
  /// The tip of the thumb.
  case thumbTIP
  /// The base of the index finger.
  case indexFingerMCP
  /// The lower joint of the index finger.
  case indexFingerPIP
  /// The upper joint of the index finger.
  case indexFingerDIP
  /// The tip of the index finger.
  case indexFingerTIP
  /// The base of the middle finger.
  case middleFingerMCP
  /// The lower joint of the middle finger.
  case middleFingerPIP
  /// The upper joint of the middle finger.
  case middleFingerDIP
  /// The tip of the middle finger.
  case middleFingerTIP
  /// The base of the ring finger.
  case ringFingerMCP
  /// The lower joint of the ring finger.
  case ringFingerPIP
  /// The upper joint of the ring finger.
  case ringFingerDIP
  /// The tip of the ring finger.
  case ringFingerTIP
  /// The base of the little finger.
  case pinkyMCP
  /// The lower joint of the little finger.
  case pinkyPIP
  /// The upper joint of the little finger.
  case pinkyDIP
  /// The tip of the little finger.
  case pinkyTIP
}
