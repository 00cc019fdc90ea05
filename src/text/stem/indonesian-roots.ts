/**
 * Roots that begin or end like an affix, or that lose their first letter behind a nasal prefix: where rules alone take
 * too much or too little ("masalah" is no "masa", "mengirim" is "kirim", "memiliki" is "milik"). Frequent words only;
 * others are left to the rules.
 */
const ROOTS = `
aku ampun arah baku batik bekal bela belanja belah beli belum benar bentuk berani beras berat berita berkah berkas
besar buku bukti butir cabai capai cek celah damai didik diri dinding gadai gawai gigi hanya helai himpun ilmu
istilah jamu jumlah kabul kabur kaca kadal kait kaji kalah kali kandung kantong kapal karang karantina karya kasih kasus
kata katrol kaum kawal kawin kebun kecam kecil kecoh kejar kejut kelabu kelas kelola keluar keluh kemas kembali kembang
kemudi kemuka kena kenal kenang kendali kental kepala kepung kerah kering kerja keras keroyok kerta kesan ketik ketua
ketuk khawatir khianat khusus kibar kikis kilat kinerja kira kirim kiri klaim klasifikasi klik koleksi komentar kompilasi
komputer komunikasi kondisi konfirmasi konsumsi kontrak kontrol kopi koreksi korban kotak kotor kritik kuasa kuat kubur
kukuh kumandang kumpul kunci kuning kunjung kupas kurang kurung kutip kutuk lagu lahir laku lalai langkah lantai makalah
main majalah makan maki maklum makna malu mandi mantap masa masak masalah masuk mata mati mekar menang mengerti menteri
menu merah merdeka mesra mewah mikro milik mimpi minat minta minum mirip miskin modal mohon muak mual muat mudah muka
muktamar mulai muncul mundur murah musnah musuh musyawarah mutasi nafas nafkah nafsu naik nama nanti nasihat nasional
nekat nikah nikmat nilai niat normal nyala nyaman nyanyi nyaring nyata olah paku pakai pantai partai pecah pegawai pelihara
peluk penjara penting pendam pengaruh pensiun peran perahu perang peras percaya percik perdana peri periksa perintah perkara
perlu permisi pernah persen pertama perut pesan pesona pilih prestasi punya ramai rampai rumpun sabar saku salah
sampai santai sekolah selesai semu sembelih sembilan sembuh sempurna senang sepakat serang serah serius sertifikat sesuai
setuju siku suku tahu tamu tanya telah teliti telur temu tembak tembus tempat tempel tempuh tentu tepat terang terap teras
terbang terbit terima terjemah terjun terus tikai ulah ulai urai wali yakin
bom cat ekonomi maluku perilaku permata pimpin sebelah sekarang
`;

export const INDONESIAN_ROOTS: ReadonlySet<string> = new Set(ROOTS.split(/\s+/u).filter(Boolean));
