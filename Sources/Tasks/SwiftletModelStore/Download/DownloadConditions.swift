/// Networks that a download must not use. An empty set allows all networks.
///
/// Systems other than Apple's don't know what a network costs and ignore these conditions.
public struct DownloadConditions: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Mobile networks are not used.
  public static let noCellularNetwork = DownloadConditions(rawValue: 1)
  /// Networks that the system considers expensive, such as a personal hotspot, are not used.
  public static let noExpensiveNetwork = DownloadConditions(rawValue: 2)
  /// Networks in Low Data Mode are not used.
  public static let noConstrainedNetwork = DownloadConditions(rawValue: 4)
}
