/// The thread, or queue, that must not be blocked.
package enum MainThread {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller is on the main thread or, where programs give that up to the main queue, on the main queue.
  package static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }

  /// Whether calls that block refuse it unless the options say otherwise: on Apple's platforms. Programs elsewhere work
  /// on it.
  package static var isGuarded: Bool {
    #if canImport(Darwin)
      return true
    #else
      return false
    #endif
  }
}
