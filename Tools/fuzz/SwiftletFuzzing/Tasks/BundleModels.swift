import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport

/// Task bundles, valid or nearly valid.
enum BundleModels {
  /// A file of a bundle.
  struct Member: Sendable {
    var name: String
    var bytes: [UInt8]
  }

  private static let files = [
    "hand_landmarker.task", "face_landmarker.task", "pose_landmarker.task", "gesture_recognizer_custom.task",
    "holistic_landmarker.task",
  ]

  /// The bundles of the test data; one of random bytes without it.
  private static let bundles: [[Member]] = {
    let known = files.compactMap { try? GoldenTask.modelBytes($0) }.compactMap { members(of: $0) }
    return known.isEmpty ? [[Member(name: "hand_detector.tflite", bytes: [1, 2, 3])]] : known
  }()

  private static func members(of bundle: [UInt8]) -> [Member]? {
    guard let archive = try? TaskBundle(ByteRegion(bundle)) else { return nil }
    return archive.memberNames.compactMap { name in
      guard let bytes = try? archive.member(name).withBytes({ [UInt8]($0) }) else { return nil }
      return Member(name: name, bytes: bytes)
    }
  }

  /// Returns the bundle of a campaign's case, with changes of its members, of the archive's headers, or of its bytes.
  static func bundle(seed: UInt64, case number: Int) -> [UInt8] {
    var random = FuzzRandom(seed: seed ^ 0x6275_6E64, case: number)
    guard var members = random.pick(bundles) else { return [] }
    for _ in 0..<random.within(0...2) { change(&members, &random, depth: 0) }
    var bytes = written(members, &random)
    if random.oneIn(6) { damage(&bytes, &random) }
    return bytes
  }

  // MARK: Members

  private static func change(_ members: inout [Member], _ random: inout FuzzRandom, depth: Int) {
    guard !members.isEmpty else { return }
    let index = random.below(members.count), other = random.below(members.count)
    switch random.below(10) {
    case 0: members.remove(at: index)
    case 1: members[index].name = random.one("", "../\(members[index].name)", "x\u{0}y", members[other].name, "a/b")
    case 2: (members[index].bytes, members[other].bytes) = (members[other].bytes, members[index].bytes)
    case 3: members.append(Member(name: members[index].name, bytes: members[other].bytes))
    case 4: members[index].bytes = foreign(members, &random)
    case 5: members[index].bytes.removeLast(random.below(members[index].bytes.count))
    case 6: damage(&members[index].bytes, &random)
    default: changeContents(of: &members[index], &random, depth: depth)
    }
  }

  /// Returns bytes that aren't valid in place of a model.
  private static func foreign(_ members: [Member], _ random: inout FuzzRandom) -> [UInt8] {
    switch random.below(6) {
    case 0: []
    case 1: Array("<html>not found</html>".utf8)
    case 2: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    case 3: RawArchive(members.prefix(2).map { .init($0.name, Array($0.bytes.prefix(1000))) }).bytes
    case 4: random.pick(SeedModels.parsed)?.bytes ?? []
    default: random.pick(random.pick(bundles) ?? [])?.bytes ?? []
    }
  }

  /// Changes the contents of a member: a model through its schema, and a bundle in its members.
  private static func changeContents(of member: inout Member, _ random: inout FuzzRandom, depth: Int) {
    if depth < 2, var inner = members(of: member.bytes) {
      change(&inner, &random, depth: depth + 1)
      member.bytes = written(inner, &random)
    } else if var model = FuzzModel(reading: ByteRegion(member.bytes)) {
      var mutator = ModelMutator(FuzzRandom(seed: random.next()), donor: random.pick(SeedModels.parsed))
      mutator.mutate(&model)
      member.bytes = model.bytes
    } else {
      damage(&member.bytes, &random)
    }
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout FuzzRandom) {
    guard !bytes.isEmpty else { return }
    // The headers are at the beginning and at the end.
    let span = random.one(64, 4096, bytes.count), isAtEnd = random.oneIn(2)
    for _ in 0..<random.within(1...8) {
      let offset = random.below(min(span, bytes.count))
      bytes[isAtEnd ? bytes.count - 1 - offset : offset] = UInt8(truncatingIfNeeded: random.next())
    }
  }

  // MARK: The archive

  private static func written(_ members: [Member], _ random: inout FuzzRandom) -> [UInt8] {
    var archive = RawArchive(members.map { .init($0.name, $0.bytes) })
    guard random.oneIn(3), !archive.members.isEmpty else { return archive.bytes }
    let index = random.below(archive.members.count)
    let lie = UInt32(truncatingIfNeeded: random.hostileLong(near: Int64(archive.members[index].contents.count)))
    switch random.below(12) {
    case 0: archive.members[index].statedSize = lie
    case 1: archive.members[index].statedPackedSize = lie
    case 2: archive.members[index].statedChecksum = lie
    case 3: archive.members[index].headerName = random.one("", "another", String(repeating: "n", count: 60_000))
    case 4: archive.members[index].method = random.one(8, 12, 14, 99, .max)
    case 5: archive.members[index].flags = random.one(1, 8, 1 << 11, 1 << 13, .max)
    case 6: archive.members[index].extra = random.bytes(random.below(200))
    case 7: archive.directoryOffsetError = Int(random.hostile())
    case 8: archive.directorySizeError = Int(random.hostile())
    case 9: archive.statedMemberCount = random.one(0, 1, 100, .max)
    case 10: archive.prefix = random.bytes(random.below(100))
    default: archive.comment = random.bytes(random.below(1000))
    }
    return archive.bytes
  }
}
