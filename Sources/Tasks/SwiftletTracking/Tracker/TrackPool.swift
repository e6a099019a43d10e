/// All tracks of a tracker, updated by each searched frame.
struct TrackPool: Sendable {
  /// The maximum cost of a match in the first stage. This and the other limits are ByteTrack's constants, except those
  /// for frames far apart.
  private static let highLimit = 0.8
  /// The time between searched frames above which the first stage uses a higher limit.
  private static let slowInterval = Duration.milliseconds(100)
  private static let slowHighLimit = 0.9
  private static let lowLimit = 0.5
  private static let tentativeLimit = 0.7
  /// The time between searched frames above which boxes may also be matched that are only close to each other.
  private static let sparseInterval = Duration.milliseconds(150)
  private static let sparseLimit = 0.9
  private static let sparseGrowth = 0.3
  private static let sparseAreaRatio = 3.0
  /// The number of sightings from which a track is never removed as a duplicate.
  private static let provenSightings = 10

  let options: TrackingOptions
  /// The tracked and lost tracks, by ascending ID.
  var confirmed: [TrackedBox] = []
  /// The tentative tracks, the oldest first.
  private(set) var tentative: [TrackedBox] = []
  private var candidates: Candidates
  private var association = BoxAssociation()

  init(options: TrackingOptions) {
    self.options = options
    candidates = Candidates(limit: max(100, 4 * options.maxTracks))
    confirmed.reserveCapacity(options.maxTracks)
    tentative.reserveCapacity(options.maxTracks)
  }

  mutating func removeAll() {
    confirmed.removeAll(keepingCapacity: true)
    tentative.removeAll(keepingCapacity: true)
  }

  /// Clears the detection indices, which are valid for one frame only.
  mutating func forgetMatches() {
    for index in confirmed.indices { confirmed[index].detectionIndex = nil }
  }

  /// Updates the tracks with the detections of a searched frame.
  ///
  /// - Parameters:
  ///   - time: The timestamp of the searched frame.
  ///   - elapsed: The seconds since the last searched frame; `nil` for the first one.
  mutating func update(
    _ detections: [BoxDetection], time: Duration, elapsed: Double?, frameWidth: Double, frameHeight: Double
  ) {
    let maxLost = options.maxLost
    confirmed.removeAll { $0.phase == .lost && time.seconds(since: $0.lastSeen).isLonger(than: maxLost) }
    candidates.collect(detections, lowThreshold: options.lowThreshold, frameWidth: frameWidth, frameHeight: frameHeight)
    let decay = options.decaySeconds
    for index in confirmed.indices { confirmed[index].predict(seconds: elapsed ?? 0, decay: decay) }
    for index in tentative.indices { tentative[index].predict(seconds: elapsed ?? 0, decay: decay) }
    associate(time: time, elapsed: elapsed ?? 0)
    endUnseen(frameWidth: frameWidth, frameHeight: frameHeight)
    confirmSeen()
    removeDuplicates()
    begin(time: time, isFirst: elapsed == nil, frameWidth: frameWidth, frameHeight: frameHeight)
  }

  // MARK: Association

  private mutating func associate(time: Duration, elapsed: Double) {
    let high = options.highThreshold..<Double.infinity
    let low = options.lowThreshold..<options.highThreshold
    let tolerance = options.appearanceTolerance
    let firstLimit = elapsed.isLonger(than: Self.slowInterval) ? Self.slowHighLimit : Self.highLimit
    association.match(
      confirmed, candidates.list,
      BoxAssociation.Stage(limit: firstLimit, weighsScore: true, scores: high, tolerance: tolerance)
    ) { _ in true }
    acceptForConfirmed(time: time, isWeak: false)
    // Weak detections keep a track alive for a moment. A track that has had only weak detections for a while is
    // probably not an object.
    let leastStanding = (options.highThreshold + options.lowThreshold) / 2
    association.match(
      confirmed, candidates.list,
      BoxAssociation.Stage(limit: Self.lowLimit, weighsScore: false, scores: low, tolerance: tolerance)
    ) { $0.phase == .tracked && $0.standing >= leastStanding }
    acceptForConfirmed(time: time, isWeak: true)
    if elapsed.isLonger(than: Self.sparseInterval) {
      association.matchNearby(
        confirmed, candidates.list,
        BoxAssociation.Stage(limit: Self.sparseLimit, weighsScore: true, scores: high, tolerance: tolerance),
        growth: Self.sparseGrowth, maxAreaRatio: Self.sparseAreaRatio
      ) { $0.phase == .tracked }
      acceptForConfirmed(time: time, isWeak: false)
    }
    association.match(
      tentative, candidates.list,
      BoxAssociation.Stage(limit: Self.tentativeLimit, weighsScore: true, scores: high, tolerance: tolerance)
    ) { _ in true }
    for pair in association.pairs {
      tentative[pair.track].match = pair.candidate
      tentative[pair.track].update(candidates.list[pair.candidate], at: time, isWeak: false)
      candidates.take(pair.candidate)
    }
  }

  private mutating func acceptForConfirmed(time: Duration, isWeak: Bool) {
    for pair in association.pairs {
      confirmed[pair.track].match = pair.candidate
      confirmed[pair.track].update(candidates.list[pair.candidate], at: time, isWeak: isWeak)
      candidates.take(pair.candidate)
    }
  }

  // MARK: Ends

  private mutating func endUnseen(frameWidth: Double, frameHeight: Double) {
    for index in confirmed.indices {
      if confirmed[index].match < 0 {
        confirmed[index].miss()
        confirmed[index].phase = .lost
      } else {
        confirmed[index].phase = .tracked
      }
    }
    for index in tentative.indices where tentative[index].match < 0 { tentative[index].miss() }
    let tentativeMisses = options.tentativeMisses
    func isOutOfView(_ track: TrackedBox) -> Bool {
      !track.motion.isFinite || track.box.clipped(width: frameWidth, height: frameHeight).area == 0
    }
    confirmed.removeAll(where: isOutOfView)
    tentative.removeAll { $0.missesInARow >= tentativeMisses || isOutOfView($0) }
  }

  /// Removes duplicates: if a lost track and a visible one are in the same place and look alike, the object has been
  /// detected again, and the younger track is removed.
  private mutating func removeDuplicates() {
    var index = 0
    while index < confirmed.count {
      let isDuplicate = confirmed.contains { other in
        let track = confirmed[index]
        guard (other.phase == .lost) != (track.phase == .lost), track.sightings < Self.provenSightings else {
          return false
        }
        guard !track.isUnlike(other, tolerance: options.appearanceTolerance) else { return false }
        let isYounger = track.firstSeen > other.firstSeen || track.firstSeen == other.firstSeen && track.id > other.id
        return isYounger && track.box.intersectionOverUnion(with: other.box) > options.duplicateIoU
      }
      if isDuplicate {
        confirmed.remove(at: index)
      } else {
        index += 1
      }
    }
  }

  // MARK: Beginnings

  private mutating func confirmSeen() {
    var index = 0
    while index < tentative.count {
      if tentative[index].hitsInARow >= options.minHits {
        confirm(tentative.remove(at: index))
      } else {
        index += 1
      }
    }
  }

  private mutating func confirm(_ track: TrackedBox) {
    var track = track
    track.phase = .tracked
    track.id = TrackIdentifiers.next()
    confirmed.append(track)
  }

  private mutating func begin(time: Duration, isFirst: Bool, frameWidth: Double, frameHeight: Double) {
    let threshold = max(options.newTrackThreshold, options.highThreshold)
    for position in candidates.list.indices {
      let candidate = candidates.list[position]
      guard candidate.score >= threshold else { return }
      guard !candidate.isTaken, !isSeenElsewhere(candidate) else { continue }
      let track = TrackedBox(candidate, at: time)
      guard makeRoom(for: track, frameWidth: frameWidth, frameHeight: frameHeight) else { continue }
      candidates.take(position)
      if isFirst || options.minHits == 1 {
        confirm(track)
      } else {
        tentative.append(track)
      }
    }
  }

  /// Returns whether a matched detection in this frame overlaps the candidate so much that both must be the same
  /// object.
  private func isSeenElsewhere(_ candidate: Candidate) -> Bool {
    candidates.list.contains { $0.isTaken && $0.box.intersectionOverUnion(with: candidate.box) > options.duplicateIoU }
  }

  /// Removes a track if the limit is reached: the least prominent lost one, or else the least prominent tentative one
  /// if it is less prominent than the new one.
  ///
  /// - Returns: Whether there is room for the new track.
  private mutating func makeRoom(for track: TrackedBox, frameWidth: Double, frameHeight: Double) -> Bool {
    guard confirmed.count + tentative.count >= options.maxTracks else { return true }
    func prominence(_ track: TrackedBox) -> Double {
      track.box.prominence(score: track.score, frameWidth: frameWidth, frameHeight: frameHeight)
    }
    var worstLost: (index: Int, prominence: Double)?
    for index in confirmed.indices where confirmed[index].phase == .lost {
      let prominence = prominence(confirmed[index])
      if prominence < (worstLost?.prominence ?? .infinity) { worstLost = (index, prominence) }
    }
    if let worstLost {
      confirmed.remove(at: worstLost.index)
      return true
    }
    guard let worst = tentative.indices.min(by: { prominence(tentative[$0]) < prominence(tentative[$1]) }),
      prominence(tentative[worst]) < prominence(track)
    else { return false }
    tentative.remove(at: worst)
    return true
  }
}

extension TrackPool {
  /// Writes the reported objects: those that are visible, or were until a moment ago.
  ///
  /// A reported object keeps its slot until it is lost; free slots go to the most prominent objects.
  ///
  /// - Parameters:
  ///   - time: The timestamp of the frame.
  ///   - elapsed: The seconds since the last searched frame.
  mutating func report(
    time: Duration, elapsed: Double, frameWidth: Double, frameHeight: Double, into result: inout [Track]
  ) {
    result.removeAll(keepingCapacity: true)
    var freeSlots = options.maxReportedTracks
    for index in confirmed.indices {
      let track = confirmed[index]
      confirmed[index].hasSlot =
        track.hasSlot && isReportable(track, time: time, frameWidth: frameWidth, frameHeight: frameHeight)
      if confirmed[index].hasSlot { freeSlots -= 1 }
    }
    while freeSlots > 0, let index = mostProminentWaiting(time: time, frameWidth: frameWidth, frameHeight: frameHeight)
    {
      confirmed[index].hasSlot = true
      freeSlots -= 1
    }
    for track in confirmed where track.hasSlot {
      let (box, velocity) = track.expectation(after: elapsed, decay: options.decaySeconds)
      let visible = box.clipped(width: frameWidth, height: frameHeight)
      guard visible.area > 0, visible.isUsable else { continue }
      result.append(
        Track(
          id: track.id, box: visible, velocity: velocity, score: track.score,
          state: track.phase == .lost ? .coasting : .confirmed,
          detectionIndex: track.detectionIndex, firstSeen: track.firstSeen, lastSeen: track.lastSeen))
    }
  }

  private func isReportable(_ track: TrackedBox, time: Duration, frameWidth: Double, frameHeight: Double) -> Bool {
    track.phase == .tracked
      || !time.seconds(since: track.lastSeen).isLonger(than: options.maxCoast)
        && !track.isLeaving(frameWidth: frameWidth, frameHeight: frameHeight)
  }

  /// Returns the index of the most prominent object that could be reported, but has no slot.
  private func mostProminentWaiting(time: Duration, frameWidth: Double, frameHeight: Double) -> Int? {
    var best: (index: Int, prominence: Double)?
    for (index, track) in confirmed.enumerated()
    where !track.hasSlot && isReportable(track, time: time, frameWidth: frameWidth, frameHeight: frameHeight) {
      let prominence = track.box.prominence(score: track.score, frameWidth: frameWidth, frameHeight: frameHeight)
      if prominence > (best?.prominence ?? -1) { best = (index, prominence) }
    }
    return best?.index
  }
}
