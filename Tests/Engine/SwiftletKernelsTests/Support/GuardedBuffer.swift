import SwiftletBase

/// Memory that ends at an inaccessible page, so that a kernel that reads or writes one element too many crashes the
/// test run instead of passing by luck. (The address sanitizer doesn't instrument assembly.)
final class GuardedBuffer<Element: BitwiseCopyable> {
  let pointer: UnsafeMutablePointer<Element>
  let count: Int
  private let mapping: UnsafeMutableRawPointer
  private let mappedBytes: Int

  init(count: Int, repeating value: Element) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let bytes = count * MemoryLayout<Element>.stride
    let usable = (bytes + page - 1) / page * page
    mappedBytes = usable + page
    let anonymous = mmap(nil, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let anonymous, anonymous != MAP_FAILED, mprotect(anonymous + usable, page, PROT_NONE) == 0 else {
      fatalError("cannot map \(mappedBytes) bytes for a test")
    }
    mapping = anonymous
    pointer = (anonymous + usable - bytes).bindMemory(to: Element.self, capacity: count)
    pointer.initialize(repeating: value, count: count)
    self.count = count
  }

  convenience init(_ values: [Element]) {
    guard let first = values.first else {
      self.init(empty: ())
      return
    }
    self.init(count: values.count, repeating: first)
    for (index, value) in values.enumerated() { pointer[index] = value }
  }

  /// Creates an empty buffer, with a pointer that must not be accessed.
  private init(empty: Void) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    guard let anonymous = mmap(nil, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), anonymous != MAP_FAILED else {
      fatalError("cannot map a page for a test")
    }
    mapping = anonymous
    mappedBytes = page
    pointer = anonymous.assumingMemoryBound(to: Element.self)
    count = 0
  }

  deinit { munmap(mapping, mappedBytes) }

  var values: [Element] { Array(UnsafeBufferPointer(start: pointer, count: count)) }
}
