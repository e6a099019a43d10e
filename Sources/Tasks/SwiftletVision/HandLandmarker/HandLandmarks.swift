/// The indices and connections of the landmarks of a ``Hand``.
public enum HandLandmarks {
  /// The landmarks of a hand by index: the wrist, and four per finger, from the palm outwards.
  ///
  /// CMC, MCP, IP, PIP, and DIP are the anatomical names of the joints: carpometacarpal, metacarpophalangeal,
  /// interphalangeal, proximal interphalangeal, and distal interphalangeal.
  public enum Point: Int, Sendable, Hashable, CaseIterable {
    /// The wrist.
    case wrist = 0
    /// The joint of the thumb at the wrist.
    case thumbCMC
    /// The joint of the thumb at the palm.
    case thumbMCP
    /// The last joint of the thumb.
    case thumbIP
    /// The tip of the thumb.
    case thumbTip
    /// The joint of the index finger at the palm.
    case indexFingerMCP
    /// The middle joint of the index finger.
    case indexFingerPIP
    /// The last joint of the index finger.
    case indexFingerDIP
    /// The tip of the index finger.
    case indexFingerTip
    /// The joint of the middle finger at the palm.
    case middleFingerMCP
    /// The middle joint of the middle finger.
    case middleFingerPIP
    /// The last joint of the middle finger.
    case middleFingerDIP
    /// The tip of the middle finger.
    case middleFingerTip
    /// The joint of the ring finger at the palm.
    case ringFingerMCP
    /// The middle joint of the ring finger.
    case ringFingerPIP
    /// The last joint of the ring finger.
    case ringFingerDIP
    /// The tip of the ring finger.
    case ringFingerTip
    /// The joint of the little finger at the palm.
    case pinkyMCP
    /// The middle joint of the little finger.
    case pinkyPIP
    /// The last joint of the little finger.
    case pinkyDIP
    /// The tip of the little finger.
    case pinkyTip
  }

  /// The number of landmarks of a hand.
  public static let count = 21

  /// The outline of the palm.
  public static let palm = LandmarkConnection.pairs([0, 1, 0, 5, 9, 13, 13, 17, 5, 9, 0, 17])
  /// The thumb.
  public static let thumb = LandmarkConnection.pairs([1, 2, 2, 3, 3, 4])
  /// The index finger.
  public static let indexFinger = LandmarkConnection.pairs([5, 6, 6, 7, 7, 8])
  /// The middle finger.
  public static let middleFinger = LandmarkConnection.pairs([9, 10, 10, 11, 11, 12])
  /// The ring finger.
  public static let ringFinger = LandmarkConnection.pairs([13, 14, 14, 15, 15, 16])
  /// The little finger.
  public static let pinky = LandmarkConnection.pairs([17, 18, 18, 19, 19, 20])
  /// All connections of a hand.
  public static let connections = palm + thumb + indexFinger + middleFinger + ringFinger + pinky
}
