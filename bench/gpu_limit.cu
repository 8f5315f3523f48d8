// The default `underdog` solved by hand, without the rules of the project: what a GPU allows.
//
// A key is the first hand, the second hand from bit 16 on, and the points from bits 32 and 36 on.
// Of two mirror images the smaller key stands for both. Sixteen lanes share a matrix: each has a
// column of the tableau in shared memory, the lane after the last column the right-hand side.

typedef unsigned long long Key;

const Key EMPTY = ~0ull;
const int LANES = 16, GROUPS = 8, ROWS = LANES + 1;

struct Child {
  Key key;
  double sign;
  double worth;
  bool open;
};

__device__ Key pack(unsigned a, unsigned b, unsigned s, unsigned t) {
  return (Key)t << 36 | (Key)s << 32 | (Key)b << 16 | a;
}

__device__ Key slot_of(Key key) {
  key = (key ^ key >> 31) * 0x9E3779B97F4A7C15ull;
  return key ^ key >> 32;
}

// The position after the picks i and j, which are bit numbers.
__device__ Child play(Key key, int i, int j, int target) {
  unsigned a = key & 0xffff, b = key >> 16 & 0xffff, s = key >> 32 & 15, t = key >> 36 & 15;
  int lead = i - j;
  if (lead == 1 || lead == -1) lead = -lead;
  s += lead > 0;
  t += lead < 0;
  a &= ~(1u << i);
  b &= ~(1u << j);
  Child child = {0, 1, 0, false};
  if (s >= target) child.worth = 1;
  else if (t >= target) child.worth = -1;
  else if (a == 0) child.worth = (s > t) - (s < t);
  else {
    Key one = pack(a, b, s, t), other = pack(b, a, t, s);
    child.open = true;
    child.key = one < other ? one : other;
    child.sign = one == other ? 0 : one < other ? 1 : -1;
  }
  return child;
}

extern "C" __global__ void list_children(const Key* parents, long long count, Key* table,
                                         Key mask, int numbers, int target) {
  long long step = (long long)gridDim.x * blockDim.x;
  for (long long work = blockIdx.x * (long long)blockDim.x + threadIdx.x;
       work < count * numbers; work += step) {
    Key parent = parents[work / numbers];
    int i = work % numbers;
    if (!(parent >> i & 1)) continue;
    for (unsigned rest = parent >> 16 & 0xffff; rest; rest &= rest - 1) {
      Child child = play(parent, i, __ffs(rest) - 1, target);
      if (!child.open) continue;
      for (Key slot = slot_of(child.key) & mask;; slot = (slot + 1) & mask) {
        Key held = table[slot];
        if (held == EMPTY) held = atomicCAS(table + slot, EMPTY, child.key);
        if (held == EMPTY || held == child.key) break;
      }
    }
  }
}

extern "C" __global__ void store_values(const Key* keys, const double* values, long long count,
                                        Key* table, Key mask) {
  long long step = (long long)gridDim.x * blockDim.x;
  for (long long work = blockIdx.x * (long long)blockDim.x + threadIdx.x; work < count;
       work += step) {
    Key slot = slot_of(keys[work]) & mask;
    while (atomicCAS(table + 2 * slot, EMPTY, keys[work]) != EMPTY) slot = (slot + 1) & mask;
    table[2 * slot + 1] = __double_as_longlong(values[work]);
  }
}

// The least of sixteen lanes, and the lane that has it; the lowest of several.
__device__ int least(unsigned group, double& value) {
  int lane = threadIdx.x % LANES;
  for (int far = LANES / 2; far; far /= 2) {
    double other = __shfl_xor_sync(group, value, far, LANES);
    int place = __shfl_xor_sync(group, lane, far, LANES);
    if (other < value || (other == value && place < lane)) value = other, lane = place;
  }
  return lane;
}

extern "C" __global__ void solve_positions(const Key* keys, double* values, long long count,
                                           const Key* table, Key mask, int target) {
  __shared__ double cells[GROUPS][ROWS][LANES + 1];
  __shared__ double factors[GROUPS][ROWS];
  int group = threadIdx.x / LANES, lane = threadIdx.x % LANES;
  unsigned members = 0xffffu << threadIdx.x % 32 / LANES * LANES;
  double(*cell)[LANES + 1] = cells[group];
  double* factor = factors[group];
  for (long long work = blockIdx.x * (long long)GROUPS + group; work < count;
       work += (long long)gridDim.x * GROUPS) {
    Key key = keys[work];
    unsigned a = key & 0xffff, b = key >> 16 & 0xffff;
    if (key == pack(b, a, key >> 36 & 15, key >> 32 & 15)) {  // its own mirror image
      if (lane == 0) values[work] = 0;
      continue;
    }
    int size = __popc(a), j = -1;
    unsigned rest = b;
    for (int skipped = 0; skipped < lane; ++skipped) rest &= rest - 1;
    if (rest) j = __ffs(rest) - 1;
    bool has_column = lane < size;
    double highest = -2, low = -2;
    int row = 0;
    for (unsigned left = a; left; left &= left - 1, ++row) {
      double worth = 2;
      if (has_column) {
        Child child = play(key, __ffs(left) - 1, j, target);
        worth = child.worth;
        if (child.open && child.sign != 0) {
          Key slot = slot_of(child.key) & mask;
          while (table[2 * slot] != child.key) slot = (slot + 1) & mask;
          worth = child.sign * __longlong_as_double(table[2 * slot + 1]);
        }
        cell[row][lane] = worth;
        highest = max(highest, worth);
      }
      least(members, worth);
      low = max(low, worth);
    }
    double high = has_column ? highest : 2;
    least(members, high);
    if (low >= high) {  // a saddle point
      if (lane == 0) values[work] = low;
      continue;
    }
    double shift = 1 - low;
    if (lane <= size) {
      for (row = 0; row < size; ++row) cell[row][lane] = has_column ? cell[row][lane] + shift : 1;
      cell[size][lane] = has_column ? -1 : 0;
    }
    __syncwarp(members);
    for (int pivots = 0; pivots < 200; ++pivots) {
      double cost = has_column ? cell[size][lane] : 0;
      int column = least(members, cost);
      if (cost >= -1e-12) break;
      double slope = has_column ? cell[lane][column] : 0;
      double side = has_column ? max(0.0, cell[lane][size]) : 0;
      double bound = slope > 1e-12 ? (side + 1e-11) / slope : 1e300;
      least(members, bound);
      if (bound > 1e299) break;
      // Of the rows that limit the column the one with the largest pivot: rounding stays small.
      double pivot = slope > 1e-12 && side <= bound * slope ? -slope : 0;
      int leaving = least(members, pivot);
      for (row = lane; row <= size; row += LANES) factor[row] = cell[row][column];
      __syncwarp(members);
      double inverse = 1 / factor[leaving];
      if (lane <= size) {
        double mine = lane == column ? inverse : cell[leaving][lane] * inverse;
        for (row = 0; row <= size; ++row)
          cell[row][lane] = row == leaving     ? mine
                            : lane == column ? -factor[row] * mine
                                             : cell[row][lane] - factor[row] * mine;
      }
      __syncwarp(members);
    }
    if (lane == 0) values[work] = 1 / cell[size][size] - shift;
    __syncwarp(members);
  }
}
