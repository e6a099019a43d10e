import SwiftletBase

/// What this process holds of the system at one moment.
package struct ProcessUsage: Sendable, Hashable {
  /// Memory that is really there, in bytes.
  package var residentBytes: Int
  /// Open files, sockets and the like.
  package var descriptors: Int
  package var threads: Int

  /// What it holds now. `nil` on systems without `/proc/self`, which is where the numbers come from.
  package static func now() -> ProcessUsage? {
    guard let resident = ProcessStatus.number("VmRSS"), let threads = ProcessStatus.number("Threads"),
      let descriptors = descriptorCount()
    else {
      return nil
    }
    return ProcessUsage(residentBytes: resident * 1024, descriptors: descriptors, threads: threads)
  }

  private static func descriptorCount() -> Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // The folder lists itself, its parent, and the descriptor that reads it.
    return count - 3
  }
}
